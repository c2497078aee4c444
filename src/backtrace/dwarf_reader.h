// A cursor over DWARF data in memory: the number formats of the .eh_frame section.
#ifndef GABION_BACKTRACE_DWARF_READER_H_
#define GABION_BACKTRACE_DWARF_READER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gabion::backtrace {

// How a pointer is written (DW_EH_PE): a format in the low four bits, what it is relative to above.
enum PointerEncoding : uint8_t {
  kPointerAbsolute = 0x00,
  kPointerUleb = 0x01,
  kPointerU2 = 0x02,
  kPointerU4 = 0x03,
  kPointerU8 = 0x04,
  kPointerSleb = 0x09,
  kPointerS2 = 0x0a,
  kPointerS4 = 0x0b,
  kPointerS8 = 0x0c,
  kPointerFormatMask = 0x0f,
  kPointerPcRelative = 0x10,
  kPointerDataRelative = 0x30,
  kPointerBaseMask = 0x70,
  kPointerOmitted = 0xff,
};

class DwarfReader {
 public:
  DwarfReader(const uint8_t* begin, const uint8_t* end) : at_(begin), end_(end) {}

  // After a read past the end all reads give 0.
  bool failed() const { return failed_; }
  bool done() const { return failed_ || at_ >= end_; }
  const uint8_t* position() const { return at_; }
  const uint8_t* end() const { return end_; }

  template <typename T>
  T read() {
    T value{};
    if (static_cast<size_t>(end_ - at_) < sizeof value) {
      fail();
      return value;
    }
    memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  uint64_t uleb() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = read<uint8_t>();
      if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return value;
    }
  }

  int64_t sleb() {
    uint64_t value = 0;
    for (unsigned shift = 0;;) {
      const auto byte = read<uint8_t>();
      if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      shift += 7;
      if ((byte & 0x80) == 0) {
        if ((byte & 0x40) != 0 && shift < 64) value |= ~uint64_t{0} << shift;
        return static_cast<int64_t>(value);
      }
    }
  }

  // The number alone, not yet made absolute.
  uint64_t pointer_number(uint8_t encoding) {
    switch (encoding & kPointerFormatMask) {
      case kPointerAbsolute:
        return read<uintptr_t>();
      case kPointerUleb:
        return uleb();
      case kPointerU2:
        return read<uint16_t>();
      case kPointerU4:
        return read<uint32_t>();
      case kPointerU8:
        return read<uint64_t>();
      case kPointerSleb:
        return static_cast<uint64_t>(sleb());
      case kPointerS2:
        return static_cast<uint64_t>(int64_t{read<int16_t>()});
      case kPointerS4:
        return static_cast<uint64_t>(int64_t{read<int32_t>()});
      case kPointerS8:
        return read<uint64_t>();
      default:
        fail();
        return 0;
    }
  }

  uintptr_t pointer(uint8_t encoding, uintptr_t data_base) {
    const auto here = reinterpret_cast<uintptr_t>(at_);
    const uint64_t number = pointer_number(encoding);
    switch (encoding & kPointerBaseMask) {
      case kPointerAbsolute:
        return number;
      case kPointerPcRelative:
        return here + number;
      case kPointerDataRelative:
        return data_base + number;
      default:
        fail();
        return 0;
    }
  }

  void skip(uint64_t n) {
    if (n > static_cast<uint64_t>(end_ - at_)) return fail();
    at_ += n;
  }

  DwarfReader take(uint64_t n) {
    const uint8_t* begin = at_;
    skip(n);
    return failed_ ? DwarfReader(end_, end_) : DwarfReader(begin, at_);
  }

  void fail() {
    failed_ = true;
    at_ = end_;
  }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
  bool failed_ = false;
};

}  // namespace gabion::backtrace

#endif  // GABION_BACKTRACE_DWARF_READER_H_
