#include "src/report/text_writer.h"

#include <algorithm>

#include "src/base/bits.h"
#include "src/report/describe.h"

namespace gabion::report {
namespace {

using base::Hex;
using base::Text;

const void* pointer(uintptr_t address) { return base::pointer_at<const void>(address); }

void write_frame(Text& text, uintptr_t pc, const Symbol& symbol) {
  text << pointer(pc);
  if (!symbol.function.empty()) {
    text << " in " << symbol.function << "+0x" << Hex{symbol.function_offset};
  }
  if (symbol.module.empty()) {
    text << " (<unknown module>)";
  } else {
    text << " (" << symbol.module << "+0x" << Hex{symbol.offset} << ')';
  }
}

void write_stack(Text& text, const Stack& stack, const Context& context) {
  const size_t n = std::min(stack.frames.size(), context.max_frames);
  for (size_t i = 0; i < n; ++i) {
    const uintptr_t pc = stack.frames[i];
    text << "    #" << i << ' ';
    write_frame(text, pc, context.symbolize(pc, context.facts.program()));
    text << '\n';
  }
  if (stack.frames.empty()) text << "    <no stack was recorded>\n";
  text << '\n';
}

std::string_view capitals(AccessKind access) {
  return access == AccessKind::kRead ? "READ" : "WRITE";
}

void write_first_line(Text& text, const Bug& bug, const Context& context) {
  text << "=================================================================\n==" << context.pid
       << "==ERROR: Gabion: ";
  if (bug.kind == BugKind::kDoubleFree) text << "attempting ";
  text << kind_name(bug.kind);
  if (bug.kind == BugKind::kAllocDeallocMismatch && bug.mismatch != nullptr) {
    text << " (" << allocator_name(bug.mismatch->allocated_with) << " vs "
         << releaser_name(bug.mismatch->released_with) << ')';
  }
  text << " on address " << pointer(bug.address) << " (";
  describe(text, bug);
  text << ")\n";
}

std::string_view discovery_heading(Found found) {
  switch (found) {
    case Found::kOnFree:
      return ", found when the block was freed";
    case Found::kOnRealloc:
      return ", found when the block was reallocated";
    case Found::kOnEviction:
      return ", found when the block left the quarantine";
    case Found::kAtExit:
      return ", found at exit";
    case Found::kOnRequest:
      return ", found by a check that was asked for";
    case Found::kAtCall:
      break;
  }
  return "";
}

// What was done, and the stack of it; for damage found later, the stack of the finder.
void write_error_stack(Text& text, const Bug& bug, const Context& context) {
  if (is_release(bug.access)) {
    text << releaser_name(bug.access) << " of " << pointer(bug.address);
  } else {
    text << capitals(bug.access);
    if (bug.damage != nullptr) {
      text << " of at least ";
      append_bytes(text, bug.damage->length);
    } else if (bug.access_size != 0) {
      text << " of size " << bug.access_size;
    }
    text << " at " << pointer(bug.address) << discovery_heading(bug.found);
  }
  if (!bug.error.known) {
    text << "\n\n";
    return;
  }
  text << " by thread T" << bug.error.thread << " here:\n";
  write_stack(text, bug.error, context);
}

void write_block(Text& text, const Bug& bug) {
  if (bug.block == nullptr) {
    text << pointer(bug.address)
         << " is in no block of the heap (region: " << region_name(bug.region) << ")\n\n";
    return;
  }
  const Block& block = *bug.block;
  const uintptr_t end = block.address + block.size;
  text << pointer(bug.address) << " is located ";
  if (bug.address < block.address) {
    append_bytes(text, block.address - bug.address);
    text << " before ";
  } else if (bug.address < end) {
    append_bytes(text, bug.address - block.address);
    text << " inside of ";
  } else {
    append_bytes(text, bug.address - end);
    text << " after ";
  }
  text << block.size << "-byte region [" << pointer(block.address) << ',' << pointer(end) << ")\n";
}

void write_history(Text& text, const Bug& bug, const Context& context) {
  if (bug.free.known) {
    text << "freed by thread T" << bug.free.thread << " here:\n";
    write_stack(text, bug.free, context);
  }
  if (bug.alloc.known) {
    text << (bug.block != nullptr && bug.block->freed ? "previously allocated" : "allocated")
         << " by thread T" << bug.alloc.thread << " here:\n";
    write_stack(text, bug.alloc, context);
  }
}

void write_mismatch(Text& text, const Mismatch& m) {
  text << "  allocated with " << allocator_name(m.allocated_with) << ", released with "
       << releaser_name(m.released_with) << '\n';
  if (m.released_size != 0 && m.released_size != m.allocated_size) {
    text << "  size of the allocated type:   " << m.allocated_size << " bytes;\n"
         << "  size of the deallocated type: " << m.released_size << " bytes.\n";
  }
  if (m.released_alignment != m.allocated_alignment) {
    const auto write_alignment = [&](size_t alignment) {
      if (alignment == 0) {
        text << "default-aligned";
      } else {
        text << alignment << " bytes";
      }
    };
    text << "  alignment of the allocated type:   ";
    write_alignment(m.allocated_alignment);
    text << ";\n  alignment of the deallocated type: ";
    write_alignment(m.released_alignment);
    text << ".\n";
  }
  text << '\n';
}

// Rows of 16 bytes as they were found; "[41]" is damaged, "  " is outside of what was copied.
void write_dump(Text& text, const Bug& bug) {
  const Damage& damage = *bug.damage;
  if (damage.dump.empty() || bug.block == nullptr) return;
  constexpr uintptr_t kRow = 16;
  const uintptr_t begin = damage.dump_address, end = begin + damage.dump.size();
  const uintptr_t bad_begin = bug.block->address + static_cast<uintptr_t>(damage.offset);
  const uintptr_t bad_end = bad_begin + damage.length;
  const auto is_bad = [&](uintptr_t address) {
    if (address < bad_begin || address >= bad_end) return false;
    const size_t i = address - begin;
    if (i >= damage.checked.size() || i >= damage.expected.size()) return true;
    return damage.checked[i] != 0 && damage.dump[i] != damage.expected[i];
  };
  text << "Bytes around the damage, the damaged ones in brackets:\n";
  for (uintptr_t row = base::align_down(begin, kRow); row < end; row += kRow) {
    const bool marked = row < bad_end && row + kRow > bad_begin;
    text << (marked ? "=>" : "  ") << pointer(row) << ':';
    for (uintptr_t at = row; at < row + kRow; ++at) {
      if (at < begin || at >= end) {
        text << "    ";
        continue;
      }
      const bool bad = is_bad(at);
      text << (bad ? '[' : ' ') << Hex{damage.dump[at - begin], 2} << (bad ? ']' : ' ');
    }
    text << '\n';
  }
  text << '\n';
}

void write_summary(Text& text, const Bug& bug, const Context& context) {
  text << "SUMMARY: Gabion: " << kind_name(bug.kind);
  const Stack& stack = bug.error.known && !bug.error.frames.empty() ? bug.error
                       : bug.free.known && !bug.free.frames.empty() ? bug.free
                                                                    : bug.alloc;
  if (stack.known && !stack.frames.empty()) {
    const Symbol symbol = context.symbolize(stack.frames[0], context.facts.program());
    if (!symbol.module.empty()) {
      text << " (" << symbol.module << "+0x" << Hex{symbol.offset} << ')';
    }
    if (!symbol.function.empty()) text << " in " << symbol.function;
  }
  text << "\n==" << context.pid << (context.halts ? "==ABORTING\n" : "==CONTINUING\n");
}

}  // namespace

void write_text(Text& text, const Bug& bug, const Context& context) {
  write_first_line(text, bug, context);
  write_error_stack(text, bug, context);
  write_block(text, bug);
  write_history(text, bug, context);
  if (bug.mismatch != nullptr) write_mismatch(text, *bug.mismatch);
  if (bug.damage != nullptr) write_dump(text, bug);
  write_summary(text, bug, context);
}

}  // namespace gabion::report
