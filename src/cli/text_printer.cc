#include "src/cli/text_printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>

#include "src/cli/stack_view.h"

namespace gabion::cli {
namespace {

constexpr size_t kBytesInARow = 16;
constexpr size_t kRows = 8;

using Out = std::back_insert_iterator<std::string>;

std::string plural(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string title(const BugReport& report) {
  if (report.kind == "double-free") return "attempting double-free";
  if (report.kind == "alloc-dealloc-mismatch" && report.mismatch) {
    return fmt::format("{} ({} vs {})", report.kind, report.mismatch->allocated_with,
                       report.mismatch->released_with);
  }
  return report.kind;
}

std::string line_and_column(const SourceLocation& at) {
  std::string text = at.file;
  if (at.line != 0) text += fmt::format(":{}", at.line);
  if (at.line != 0 && at.column != 0) text += fmt::format(":{}", at.column);
  return text;
}

// What stands behind "#N 0xPC".
std::string describe(const Frame& frame, const SourceLocation& at) {
  const std::string where = fmt::format("({}+0x{:x})", frame.module, frame.offset);
  if (at.function.empty()) return at.file.empty() ? where : line_and_column(at);
  if (!at.file.empty()) return fmt::format("in {} {}", at.function, line_and_column(at));
  if (at.function_offset == 0) return fmt::format("in {} {}", at.function, where);
  return fmt::format("in {}+0x{:x} {}", at.function, at.function_offset, where);
}

void print_stack(const Stack& stack, Out out) {
  size_t number = 0;
  for (const Frame& frame : visible_frames(stack)) {
    for (const SourceLocation& at : locations_of(frame)) {
      fmt::format_to(out, "    #{} 0x{:012x} {}\n", number++, frame.pc, describe(frame, at));
    }
  }
  if (number == 0) fmt::format_to(out, "    (no stack is known)\n");
  fmt::format_to(out, "\n");
}

std::string how_found(const BugReport& report) {
  if (report.detected == "free") return ", found when the block was freed";
  if (report.detected == "realloc") return ", found when the block was reallocated";
  if (report.detected == "eviction") return ", found when the block left the quarantine";
  if (report.detected == "exit") return ", found at exit";
  if (report.detected == "check") return ", found by a check that was asked for";
  return {};
}

// "WRITE of size 1 at 0x...", or the call that was wrong; and when it was noticed.
std::string what_happened(const BugReport& report) {
  const std::string at = report.address ? fmt::format(" 0x{:012x}", *report.address) : "";
  if (!report.access || report.access->type.empty()) return "Error";
  const Access& access = *report.access;
  if (access.type != "read" && access.type != "write") {
    return fmt::format("{}{}{}", access.type, at.empty() ? "" : " of", at);
  }
  std::string text = access.type == "read" ? "READ" : "WRITE";
  if (report.damage) {
    text += " of at least " + plural(report.damage->length, "byte");
  } else if (access.size != 0) {
    text += fmt::format(" of size {}", access.size);
  }
  return fmt::format("{}{}{}{}", text, at.empty() ? "" : " at", at, how_found(report));
}

std::string first_stack_title(const BugReport& report) {
  return fmt::format("{} by thread T{} here:", what_happened(report), report.error_stack->thread);
}

std::string located(const BugReport& report) {
  const Block& block = *report.block;
  const uint64_t address =
      report.address.value_or(block.address + static_cast<uint64_t>(block.offset));
  const uint64_t end = block.address + block.size;
  uint64_t distance = address - block.address;
  std::string_view side = "inside of";
  if (address < block.address) {
    distance = block.address - address;
    side = "before";
  } else if (address >= end && !(block.size == 0 && address == block.address)) {
    distance = address - end;
    side = "after";
  }
  std::string text = fmt::format("0x{:x} is located {} {} {}-byte region [0x{:x},0x{:x})", address,
                                 plural(distance, "byte"), side, block.size, block.address, end);
  if (block.alignment > 16) text += fmt::format(" aligned to {}", block.alignment);
  return text;
}

std::string mismatch_line(const Mismatch& mismatch) {
  const auto half = [](std::string_view verb, const std::string& function,
                       const std::optional<uint64_t>& size,
                       const std::optional<uint64_t>& alignment) {
    std::string text = fmt::format("{} with {}", verb, function.empty() ? "?" : function);
    if (size) text += fmt::format(" as {}", plural(*size, "byte"));
    if (alignment) text += fmt::format(" aligned to {}", *alignment);
    return text;
  };
  return fmt::format("Block was {} and {}.",
                     half("allocated", mismatch.allocated_with, mismatch.allocated_size,
                          mismatch.allocated_alignment),
                     half("released", mismatch.released_with, mismatch.released_size,
                          mismatch.released_alignment));
}

// Byte `index` of a string of hexadecimal digits, or empty.
std::string_view byte_at(std::string_view digits, size_t index) {
  return digits.size() >= 2 * index + 2 ? digits.substr(2 * index, 2) : std::string_view();
}

void print_damage(const Damage& damage, Out out) {
  fmt::format_to(out, "Damaged: {} from offset {} of the block. Bytes there, changed ones in []:\n",
                 plural(damage.length, "byte"), damage.offset);
  const size_t bytes = std::min(damage.found.size() / 2, kBytesInARow * kRows);
  for (size_t row = 0; row < bytes; row += kBytesInARow) {
    std::string found;
    std::string expected;
    for (size_t i = row; i < std::min(bytes, row + kBytesInARow); ++i) {
      const std::string_view is = byte_at(damage.found, i);
      const std::string_view was = byte_at(damage.expected, i);
      found += is == was ? fmt::format(" {} ", is) : fmt::format("[{}]", is);
      expected += fmt::format(" {} ", was.empty() ? "??" : was);
    }
    const int64_t offset = damage.offset + static_cast<int64_t>(row);
    fmt::format_to(out, "  {:>+6}: {}\n", offset, found);
    if (!damage.expected.empty()) fmt::format_to(out, "  {:>7} {}\n", "was:", expected);
  }
  fmt::format_to(out, "\n");
}

std::string summary(const BugReport& report) {
  std::string text = fmt::format("SUMMARY: Gabion: {}", report.kind);
  if (const Stack* stack = telling_stack(report); stack != nullptr) {
    if (const std::vector<Place> places = user_places(*stack); !places.empty()) {
      const Place& place = places.front();
      const SourceLocation& at = *place.location;
      const std::string where =
          at.file.empty() ? fmt::format("({}+0x{:x})", place.frame->module, place.frame->offset)
                          : line_and_column(at);
      text += ' ' + where;
      if (!at.function.empty()) text += " in " + at.function;
    }
  }
  return text;
}

std::string program_line(const Bug& bug) {
  std::string text = fmt::format("Program: {} (pid {})", bug.report.program, bug.report.pid);
  if (bug.count > 1) {
    text += fmt::format("; reported {} times", bug.count);
    if (bug.pids.size() > 1) text += fmt::format(" by {} processes", bug.pids.size());
  }
  return text;
}

}  // namespace

std::string print_text(const Bug& bug) {
  const BugReport& report = bug.report;
  std::string text;
  const Out out(text);
  fmt::format_to(out, "{:=<65}\n==", "");
  fmt::format_to(out, "{}==ERROR: Gabion: {}", report.pid, title(report));
  if (report.address) fmt::format_to(out, " on address 0x{:012x}", *report.address);
  if (!report.message.empty()) fmt::format_to(out, " ({})", report.message);
  fmt::format_to(out, "\n");
  if (report.error_stack) {
    fmt::format_to(out, "{}\n", first_stack_title(report));
    print_stack(*report.error_stack, out);
  }
  if (report.block) fmt::format_to(out, "{}\n", located(report));
  if (!report.region.empty())
    fmt::format_to(out, "The address is in no block of the heap (region: {})\n\n", report.region);
  if (report.free_stack) {
    fmt::format_to(out, "freed by thread T{} here:\n", report.free_stack->thread);
    print_stack(*report.free_stack, out);
  }
  if (report.alloc_stack) {
    fmt::format_to(out, "{}allocated by thread T{} here:\n", report.free_stack ? "previously " : "",
                   report.alloc_stack->thread);
    print_stack(*report.alloc_stack, out);
  }
  if (report.mismatch) fmt::format_to(out, "{}\n", mismatch_line(*report.mismatch));
  if (report.damage) print_damage(*report.damage, out);
  fmt::format_to(out, "{}\n{}\n", program_line(bug), summary(report));
  return text;
}

std::string print_totals(const BugList& bugs) {
  std::set<int64_t> pids;
  for (const Bug& bug : bugs.bugs()) pids.insert(bug.pids.begin(), bug.pids.end());
  std::string text = plural(bugs.bugs().size(), "bug");
  if (bugs.reports() != bugs.bugs().size()) text += fmt::format(" in {} reports", bugs.reports());
  if (pids.size() > 1) text += fmt::format(" of {} processes", pids.size());
  return text;
}

}  // namespace gabion::cli
