#include "src/report/json_writer.h"

#include <algorithm>

#include "src/report/describe.h"

namespace gabion::report {
namespace {

using base::Hex;
using base::Text;

// Writes the commas: every element asks for its separator first.
class Json {
 public:
  explicit Json(Text& text) : text_(text) {}

  Json& key(std::string_view name) {
    separate();
    write_json_string(text_, name);
    text_ << ':';
    first_ = true;  // the value needs no comma
    return *this;
  }
  void open(char bracket) {
    separate();
    text_ << bracket;
    first_ = true;
  }
  void close(char bracket) {
    text_ << bracket;
    first_ = false;
  }
  void string(std::string_view value) {
    separate();
    write_json_string(text_, value);
  }
  template <std::integral T>
  void number(T value) {
    separate();
    text_ << value;
  }
  void address(uintptr_t value) {
    separate();
    text_ << "\"0x" << Hex{value} << '"';
  }
  void bytes(std::span<const uint8_t> value) {
    separate();
    text_ << '"';
    for (const uint8_t byte : value) text_ << Hex{byte, 2};
    text_ << '"';
  }

 private:
  void separate() {
    if (!first_) text_ << ',';
    first_ = false;
  }

  Text& text_;
  bool first_ = true;
};

void begin_record(Json& json, std::string_view type, const Context& context) {
  json.open('{');
  json.key("type").string(type);
  json.key("version").number(kJsonVersion);
  json.key("pid").number(context.pid);
}

void write_frame(Json& json, uintptr_t pc, const Symbol& symbol) {
  json.open('{');
  json.key("pc").address(pc);
  if (!symbol.module.empty()) {
    json.key("module").string(symbol.module);
    json.key("offset").address(symbol.offset);
    if (!symbol.build_id.empty()) json.key("build_id").bytes(symbol.build_id);
  }
  if (!symbol.function.empty()) json.key("function").string(symbol.function);
  json.close('}');
}

void write_stack(Json& json, std::string_view name, const Stack& stack, const Context& context) {
  if (!stack.known) return;
  json.key(name).open('{');
  json.key("thread").number(stack.thread);
  json.key("frames").open('[');
  for (const uintptr_t pc : stack.frames.first(std::min(stack.frames.size(), context.max_frames))) {
    write_frame(json, pc, context.symbolize(pc, context.facts.program()));
  }
  json.close(']');
  json.close('}');
}

void write_block(Json& json, const Bug& bug) {
  const Block& block = *bug.block;
  json.key("block").open('{');
  json.key("address").address(block.address);
  json.key("size").number(block.size);
  json.key("offset").number(static_cast<ptrdiff_t>(bug.address - block.address));
  json.key("kind").string(allocation_name(block.kind));
  json.key("state").string(block.freed ? "freed" : "live");
  json.key("alignment").number(block.alignment);
  json.close('}');
}

// The part of a dump (or of what should have been there) that was damaged.
std::span<const uint8_t> damaged_part(const Bug& bug, std::span<const uint8_t> dump) {
  constexpr size_t kMostBytes = 256;
  const Damage& damage = *bug.damage;
  if (bug.block == nullptr) return {};
  const uintptr_t begin = bug.block->address + static_cast<uintptr_t>(damage.offset);
  const size_t skipped = begin - damage.dump_address;
  if (begin < damage.dump_address || skipped >= dump.size()) return {};
  return dump.subspan(skipped, std::min({damage.length, dump.size() - skipped, kMostBytes}));
}

void write_damage(Json& json, const Bug& bug) {
  json.key("damage").open('{');
  json.key("offset").number(bug.damage->offset);
  json.key("length").number(bug.damage->length);
  json.key("found").bytes(damaged_part(bug, bug.damage->dump));
  json.key("expected").bytes(damaged_part(bug, bug.damage->expected));
  json.close('}');
}

void write_mismatch(Json& json, const Mismatch& m) {
  json.key("mismatch").open('{');
  json.key("allocated_with").string(allocator_name(m.allocated_with));
  json.key("released_with").string(releaser_name(m.released_with));
  json.key("allocated_size").number(m.allocated_size);
  if (m.released_size != 0) json.key("released_size").number(m.released_size);
  if (m.allocated_alignment != 0) json.key("allocated_alignment").number(m.allocated_alignment);
  if (m.released_alignment != 0) json.key("released_alignment").number(m.released_alignment);
  json.close('}');
}

// The length of the UTF-8 sequence that `text` begins with; 0 if there is none. Sequences longer
// than needed, surrogates and what is beyond Unicode are no UTF-8.
size_t utf8_length(std::string_view text) {
  const auto byte = [&](size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const unsigned first = byte(0), second = byte(1);
  const auto follows = [&](size_t i) { return (byte(i) & 0xc0) == 0x80; };
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return follows(1) ? 2 : 0;
  if (first < 0xf0) {
    const bool valid = (first != 0xe0 || second >= 0xa0) && (first != 0xed || second < 0xa0);
    return valid && follows(1) && follows(2) ? 3 : 0;
  }
  const bool valid =
      first < 0xf5 && (first != 0xf0 || second >= 0x90) && (first != 0xf4 || second < 0x90);
  return valid && follows(1) && follows(2) && follows(3) ? 4 : 0;
}

}  // namespace

void write_json_string(Text& text, std::string_view value) {
  text << '"';
  while (!value.empty()) {
    const size_t length = utf8_length(value);
    if (length == 0) {
      text << "\\ufffd";
    } else if (length > 1) {
      text << value.substr(0, length);
    } else if (value[0] == '"' || value[0] == '\\') {
      text << '\\' << value[0];
    } else if (static_cast<unsigned char>(value[0]) < 0x20) {
      text << "\\u" << Hex{static_cast<unsigned char>(value[0]), 4};
    } else {
      text << value[0];
    }
    value.remove_prefix(std::max<size_t>(length, 1));
  }
  text << '"';
}

void write_json_header(Text& text, const Context& context, int64_t seconds) {
  Json json(text);
  begin_record(json, "header", context);
  json.key("profile").string(context.profile);
  json.key("ppid").number(context.ppid);
  json.key("program").string(context.facts.program());
  json.key("args").open('[');
  for (std::string_view rest = context.facts.arguments(); !rest.empty();) {
    const std::string_view argument = rest.substr(0, rest.find('\0'));
    json.string(argument);
    rest.remove_prefix(std::min(rest.size(), argument.size() + 1));
  }
  json.close(']');
  base::FixedText<32> time;
  append_utc_time(time, seconds);
  json.key("time").string(time.view());
  json.close('}');
  text << '\n';
}

void write_json(Text& text, const Bug& bug, const Context& context) {
  Json json(text);
  begin_record(json, "report", context);
  json.key("tid").number(context.tid);
  json.key("thread").number(bug.error.thread);
  json.key("program").string(context.facts.program());
  json.key("kind").string(kind_name(bug.kind));
  base::FixedText<256> message;
  describe(message, bug);
  json.key("message").string(message.view());
  json.key("address").address(bug.address);
  json.key("detected").string(detection_name(bug));
  json.key("access").open('{');
  json.key("type").string(access_name(bug.access));
  if (bug.access_size != 0) json.key("size").number(bug.access_size);
  json.close('}');
  if (bug.block != nullptr) {
    write_block(json, bug);
  } else {
    json.key("region").string(region_name(bug.region));
  }
  if (bug.damage != nullptr) write_damage(json, bug);
  if (bug.mismatch != nullptr) write_mismatch(json, *bug.mismatch);
  json.key("stacks").open('{');
  write_stack(json, "error", bug.error, context);
  write_stack(json, "free", bug.free, context);
  write_stack(json, "alloc", bug.alloc, context);
  json.close('}');
  json.close('}');
  text << '\n';
}

void write_json_end(Text& text, const Context& context, uint32_t reports) {
  Json json(text);
  begin_record(json, "end", context);
  json.key("reports").number(reports);
  json.close('}');
  text << '\n';
}

}  // namespace gabion::report
