#include "src/base/text.h"

#include <algorithm>
#include <cstring>

namespace gabion::base {
namespace {

constexpr size_t kMaxDigits = 20;  // of 2^64 in decimal

}  // namespace

Text& Text::operator<<(std::string_view s) {
  const size_t n = std::min(s.size(), buffer_.size() - size_);
  if (n != 0) memcpy(buffer_.data() + size_, s.data(), n);
  size_ += n;
  truncated_ |= n != s.size();
  return *this;
}

Text& Text::operator<<(Hex hex) {
  char digits[kMaxDigits];
  size_t n = 0;
  do {
    digits[kMaxDigits - ++n] = "0123456789abcdef"[hex.value & 15];
    hex.value >>= 4;
  } while (hex.value != 0 || (n < hex.min_digits && n < kMaxDigits));
  return *this << std::string_view(digits + kMaxDigits - n, n);
}

Text& Text::operator<<(const void* pointer) {
  return *this << "0x" << Hex{reinterpret_cast<uintptr_t>(pointer), 12};
}

Text& Text::decimal(uint64_t value) {
  char digits[kMaxDigits];
  size_t n = 0;
  do {
    digits[kMaxDigits - ++n] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  return *this << std::string_view(digits + kMaxDigits - n, n);
}

}  // namespace gabion::base
