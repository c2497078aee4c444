#include "src/backtrace/frame_rule.h"

#include <cstddef>

#include "src/backtrace/dwarf_reader.h"
#include "src/os/loaded_code.h"

namespace gabion::backtrace {

#if defined(__x86_64__)

namespace {

// DWARF's numbers for the registers that rules may use.
constexpr uint64_t kFp = 6;
constexpr uint64_t kSp = 7;
constexpr uint64_t kReturnAddress = 16;

enum CfaOpcode : uint8_t {
  kAdvance = 0x40,  // these three carry an operand in the low six bits
  kOffset = 0x80,
  kRestore = 0xc0,
  kNop = 0x00,
  kSetLocation = 0x01,
  kAdvance1 = 0x02,
  kAdvance2 = 0x03,
  kAdvance4 = 0x04,
  kOffsetExtended = 0x05,
  kRestoreExtended = 0x06,
  kUndefined = 0x07,
  kSameValue = 0x08,
  kRegister = 0x09,
  kRememberState = 0x0a,
  kRestoreState = 0x0b,
  kDefineCfa = 0x0c,
  kDefineCfaRegister = 0x0d,
  kDefineCfaOffset = 0x0e,
  kDefineCfaExpression = 0x0f,
  kExpression = 0x10,
  kOffsetExtendedSigned = 0x11,
  kDefineCfaSigned = 0x12,
  kDefineCfaOffsetSigned = 0x13,
  kValueOffset = 0x14,
  kValueOffsetSigned = 0x15,
  kValueExpression = 0x16,
  kGnuArgumentsSize = 0x2e,
  kGnuNegativeOffset = 0x2f,
};

constexpr uint8_t kOpDeref = 0x06;
constexpr uint8_t kOpBaseRegister0 = 0x70;
constexpr uint8_t kOpBaseRegister31 = 0x8f;

// A location of the form "register plus offset", perhaps one load further.
struct Place {
  bool known = false;
  bool load = false;
  uint64_t reg = 0;
  int64_t offset = 0;
};

// The only expressions that compilers write into the tables of ordinary functions.
Place read_expression(DwarfReader expression) {
  const auto op = expression.read<uint8_t>();
  if (op < kOpBaseRegister0 || op > kOpBaseRegister31) return {};
  Place place{.known = true, .reg = uint64_t{op} - kOpBaseRegister0, .offset = expression.sleb()};
  if (!expression.done()) {
    place.load = expression.read<uint8_t>() == kOpDeref;
    if (!place.load) return {};
  }
  if (expression.failed() || expression.position() != expression.end()) return {};
  return place;
}

struct SavedRegister {
  enum Kind : uint8_t { kSame, kUndefined, kAtCfa, kAtPlace, kOther } kind = kSame;
  int64_t offset = 0;
  Place place = {};
};

// One row of the table that the instructions describe.
struct Row {
  Place cfa;
  SavedRegister fp, return_address;

  SavedRegister* find(uint64_t reg) {
    if (reg == kFp) return &fp;
    if (reg == kReturnAddress) return &return_address;
    return nullptr;
  }
  void set(uint64_t reg, SavedRegister saved) {
    if (SavedRegister* to = find(reg); to != nullptr) *to = saved;
  }
};

// What all functions of one compilation share.
struct Cie {
  uint64_t code_alignment = 1;
  int64_t data_alignment = 1;
  uint8_t pointer_encoding = kPointerAbsolute;
  bool has_augmentation_data = false;
  bool is_signal_frame = false;
  DwarfReader instructions{nullptr, nullptr};
};

// A length field opens every entry; the reader covers what it counts.
DwarfReader entry_at(const uint8_t* position) {
  uint32_t length;
  memcpy(&length, position, sizeof length);
  constexpr uint32_t kLong = 0xffffffff;
  if (length == kLong) length = 0;  // 64-bit entries do not occur; as if empty
  return {position + sizeof length, position + sizeof length + length};
}

bool read_cie(const uint8_t* position, Cie& cie) {
  DwarfReader in = entry_at(position);
  if (in.read<uint32_t>() != 0) return false;
  const auto version = in.read<uint8_t>();
  if (version != 1 && version != 3) return false;
  const char* augmentation = reinterpret_cast<const char*>(in.position());
  while (!in.failed() && in.read<char>() != '\0') {
  }
  if (in.failed()) return false;
  cie.code_alignment = in.uleb();
  cie.data_alignment = in.sleb();
  const uint64_t return_register = version == 1 ? in.read<uint8_t>() : in.uleb();
  if (in.failed() || return_register != kReturnAddress) return false;
  if (*augmentation == 'z') {
    cie.has_augmentation_data = true;
    DwarfReader data = in.take(in.uleb());
    for (++augmentation; *augmentation != '\0'; ++augmentation) {
      switch (*augmentation) {
        case 'R':
          cie.pointer_encoding = data.read<uint8_t>();
          break;
        case 'L':
          data.read<uint8_t>();
          break;
        case 'P':
          data.pointer_number(data.read<uint8_t>());
          break;
        case 'S':
          cie.is_signal_frame = true;
          break;
        default:
          return false;
      }
    }
    if (data.failed()) return false;
  } else if (*augmentation != '\0') {
    return false;
  }
  cie.instructions = in;
  return !in.failed();
}

// Runs instructions until the row for `pc` is complete. False for what is not understood.
class RowMachine {
 public:
  RowMachine(const Cie& cie, uintptr_t pc) : cie_(cie), pc_(pc) {}

  bool run(DwarfReader in, uintptr_t location) {
    location_ = location;
    while (!in.done() && location_ <= pc_) {
      if (!execute(in)) return false;
    }
    return !in.failed();
  }

  void keep_as_initial() { initial_ = row_; }
  const Row& row() const { return row_; }

 private:
  static constexpr size_t kMaxRemembered = 4;

  bool execute(DwarfReader& in) {
    const auto opcode = in.read<uint8_t>();
    const uint64_t operand = opcode & 0x3f;
    switch (opcode & 0xc0) {
      case kAdvance:
        return advance(operand);
      case kOffset:
        return saved_at(operand, static_cast<int64_t>(in.uleb()));
      case kRestore:
        return restore(operand);
      default:
        break;
    }
    switch (opcode) {
      case kNop:
        return true;
      case kSetLocation:
        location_ = in.pointer(cie_.pointer_encoding, 0);
        return true;
      case kAdvance1:
        return advance(in.read<uint8_t>());
      case kAdvance2:
        return advance(in.read<uint16_t>());
      case kAdvance4:
        return advance(in.read<uint32_t>());
      case kRememberState:
        if (remembered_count_ == kMaxRemembered) return false;
        remembered_[remembered_count_++] = row_;
        return true;
      case kRestoreState:
        if (remembered_count_ == 0) return false;
        row_ = remembered_[--remembered_count_];
        return true;
      case kGnuArgumentsSize:
        in.uleb();
        return true;
      default:
        return opcode >= kDefineCfa ? define(opcode, in) : save(opcode, in);
    }
  }

  bool define(uint8_t opcode, DwarfReader& in) {
    switch (opcode) {
      case kDefineCfa:
        row_.cfa = {.known = true, .reg = in.uleb()};
        row_.cfa.offset = static_cast<int64_t>(in.uleb());
        return true;
      case kDefineCfaSigned:
        row_.cfa = {.known = true, .reg = in.uleb()};
        row_.cfa.offset = in.sleb() * cie_.data_alignment;
        return true;
      case kDefineCfaRegister:
        row_.cfa.reg = in.uleb();
        return true;
      case kDefineCfaOffset:
        row_.cfa.offset = static_cast<int64_t>(in.uleb());
        return true;
      case kDefineCfaOffsetSigned:
        row_.cfa.offset = in.sleb() * cie_.data_alignment;
        return true;
      case kDefineCfaExpression:
        row_.cfa = read_expression(in.take(in.uleb()));
        return true;
      default:
        return save(opcode, in);
    }
  }

  bool save(uint8_t opcode, DwarfReader& in) {
    const uint64_t reg = in.uleb();
    switch (opcode) {
      case kOffsetExtended:
        return saved_at(reg, static_cast<int64_t>(in.uleb()));
      case kOffsetExtendedSigned:
        return saved_at(reg, in.sleb());
      case kGnuNegativeOffset:
        return saved_at(reg, -static_cast<int64_t>(in.uleb()));
      case kRestoreExtended:
        return restore(reg);
      case kUndefined:
        row_.set(reg, {.kind = SavedRegister::kUndefined});
        return true;
      case kSameValue:
        row_.set(reg, {.kind = SavedRegister::kSame});
        return true;
      case kRegister:
      case kValueOffset:
      case kValueOffsetSigned:
        in.uleb();
        row_.set(reg, {.kind = SavedRegister::kOther});
        return true;
      case kValueExpression:
        in.skip(in.uleb());
        row_.set(reg, {.kind = SavedRegister::kOther});
        return true;
      case kExpression: {
        const Place place = read_expression(in.take(in.uleb()));
        row_.set(reg, {.kind = place.known ? SavedRegister::kAtPlace : SavedRegister::kOther,
                       .place = place});
        return true;
      }
      default:
        return false;
    }
  }

  bool advance(uint64_t delta) {
    location_ += delta * cie_.code_alignment;
    return true;
  }
  bool saved_at(uint64_t reg, int64_t factored) {
    row_.set(reg, {.kind = SavedRegister::kAtCfa, .offset = factored * cie_.data_alignment});
    return true;
  }
  bool restore(uint64_t reg) {
    if (const SavedRegister* from = initial_.find(reg); from != nullptr) row_.set(reg, *from);
    return true;
  }

  const Cie& cie_;
  uintptr_t pc_;
  uintptr_t location_ = 0;
  Row row_, initial_;
  Row remembered_[kMaxRemembered];
  size_t remembered_count_ = 0;
};

constexpr bool fits(int64_t value, unsigned bits) {
  return value >= -(int64_t{1} << (bits - 1)) && value < int64_t{1} << (bits - 1);
}

FrameRule rule_of(const Row& row) {
  if (row.return_address.kind == SavedRegister::kUndefined) return {.kind = RuleKind::kOutermost};
  constexpr int64_t kBelowCfa = -8;
  if (row.return_address.kind != SavedRegister::kAtCfa || row.return_address.offset != kBelowCfa) {
    return {};
  }
  if (!row.cfa.known || !fits(row.cfa.offset, 32)) return {};
  FrameRule rule{.cfa_offset = static_cast<int32_t>(row.cfa.offset)};
  if (row.cfa.reg == kSp && !row.cfa.load) {
    rule.kind = RuleKind::kFromSp;
  } else if (row.cfa.reg == kFp) {
    rule.kind = row.cfa.load ? RuleKind::kFromWordAtFp : RuleKind::kFromFp;
  } else {
    return {};
  }
  int64_t fp_offset = 0;
  switch (row.fp.kind) {
    case SavedRegister::kSame:
      break;
    case SavedRegister::kAtCfa:
      rule.saved_fp = SavedFp::kAtCfa;
      fp_offset = row.fp.offset;
      break;
    case SavedRegister::kAtPlace:
      if (row.fp.place.reg != kFp || row.fp.place.load) return {};
      rule.saved_fp = SavedFp::kAtFp;
      fp_offset = row.fp.place.offset;
      break;
    default:
      return {};
  }
  if (!fits(fp_offset, kFpOffsetBits)) return {};
  rule.fp_offset = static_cast<int32_t>(fp_offset);
  return rule;
}

// The entry of the function that may hold `pc`, from the sorted table in .eh_frame_hdr.
const uint8_t* find_entry(const uint8_t* header, uintptr_t pc) {
  constexpr uint8_t kSortedTable = static_cast<uint8_t>(kPointerDataRelative) | kPointerS4;
  struct TableRow {
    int32_t function, entry;  // both from the header's address
  };
  const uint8_t version = header[0], frame_encoding = header[1];
  const uint8_t count_encoding = header[2], table_encoding = header[3];
  if (version != 1 || table_encoding != kSortedTable || count_encoding == kPointerOmitted) {
    return nullptr;
  }
  DwarfReader in(header + 4, header + 4 + 32);
  in.pointer_number(frame_encoding);
  const uint64_t count = in.pointer_number(count_encoding);
  if (in.failed() || count == 0) return nullptr;
  const int64_t wanted = static_cast<int64_t>(pc - reinterpret_cast<uintptr_t>(header));
  const uint8_t* rows = in.position();
  const auto row_at = [rows](uint64_t i) {
    TableRow row;
    memcpy(&row, rows + i * sizeof row, sizeof row);
    return row;
  };
  if (row_at(0).function > wanted) return nullptr;
  uint64_t low = 0, high = count;  // row `low` starts at or before pc, row `high` does not
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    (row_at(middle).function <= wanted ? low : high) = middle;
  }
  return header + row_at(low).entry;
}

}  // namespace

bool can_read_frame_rules() { return os::can_find_loaded_code(); }

FrameRule read_frame_rule(uintptr_t pc) {
  os::LoadedCode code;
  if (!os::find_loaded_code(pc, code) || code.eh_frame_hdr == nullptr) return {};
  const uint8_t* entry = find_entry(code.eh_frame_hdr, pc);
  if (entry == nullptr) return {};
  DwarfReader in = entry_at(entry);
  const uint8_t* cie_pointer = in.position();
  const auto to_cie = in.read<uint32_t>();
  Cie cie;
  if (in.failed() || to_cie == 0 || !read_cie(cie_pointer - to_cie, cie)) return {};
  const uintptr_t begin = in.pointer(cie.pointer_encoding, 0);
  const uint64_t size = in.pointer_number(cie.pointer_encoding);
  if (in.failed() || pc < begin || pc - begin >= size) return {};
  if (cie.is_signal_frame) return {.kind = RuleKind::kSignal};
  if (cie.has_augmentation_data) in.skip(in.uleb());
  RowMachine machine(cie, pc);
  if (!machine.run(cie.instructions, begin)) return {};
  machine.keep_as_initial();
  if (!machine.run(in, begin)) return {};
  return rule_of(machine.row());
}

#else  // Compilers for other processors keep frame pointers unless told otherwise.

bool can_read_frame_rules() { return false; }
FrameRule read_frame_rule(uintptr_t) { return {}; }

#endif

}  // namespace gabion::backtrace
