// Text built in a caller's fixed buffer: for warnings, reports and statistics, where nothing may
// allocate. What does not fit is cut off and remembered; it is never an error.
#ifndef GABION_BASE_TEXT_H_
#define GABION_BASE_TEXT_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace gabion::base {

struct Hex {
  uint64_t value;
  unsigned min_digits = 1;  // padded with zeros; no 0x
};

class Text {
 public:
  explicit Text(std::span<char> buffer) : buffer_(buffer) {}

  Text& operator<<(std::string_view s);
  Text& operator<<(const char* s) { return *this << std::string_view(s); }
  Text& operator<<(char c) { return *this << std::string_view(&c, 1); }
  Text& operator<<(Hex hex);
  Text& operator<<(const void* pointer);  // 0x and at least 12 digits
  template <std::integral T>
    requires(!std::same_as<T, char> && !std::same_as<T, bool>)
  Text& operator<<(T value) {
    if constexpr (std::signed_integral<T>) {
      if (value < 0) return *this << '-', decimal(uint64_t{0} - static_cast<uint64_t>(value));
    }
    return decimal(static_cast<uint64_t>(value));
  }

  std::string_view view() const { return {buffer_.data(), size_}; }
  size_t size() const { return size_; }
  bool truncated() const { return truncated_; }
  void clear() {
    size_ = 0;
    truncated_ = false;
  }

 private:
  Text& decimal(uint64_t value);

  std::span<char> buffer_;
  size_t size_ = 0;
  bool truncated_ = false;
};

template <size_t N>
class FixedText : public Text {
 public:
  FixedText() : Text(storage_) {}
  FixedText(const FixedText&) = delete;
  FixedText& operator=(const FixedText&) = delete;

 private:
  char storage_[N];
};

}  // namespace gabion::base

#endif  // GABION_BASE_TEXT_H_
