// Reads small numbers out of a fuzzer's input, front to back.
#ifndef GABION_FUZZ_INPUT_READER_H_
#define GABION_FUZZ_INPUT_READER_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace gabion::fuzz {

// Past the end every read gives 0, so that any input, however short, decodes to whole operations.
class InputReader {
 public:
  explicit InputReader(std::span<const std::uint8_t> input) : rest_(input) {}

  bool empty() const { return rest_.empty(); }

  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const std::uint8_t value = rest_.front();
    rest_ = rest_.subspan(1);
    return value;
  }

  // Little-endian, of `count` bytes (at most 8).
  std::uint64_t number(int count) {
    std::uint64_t value = 0;
    for (int i = 0; i < count; ++i) value |= std::uint64_t{byte()} << (8 * i);
    return value;
  }

  // Less than `limit`, which must not be 0. Spends one byte where one is enough.
  std::size_t below(std::size_t limit) {
    return static_cast<std::size_t>(number(limit <= 256 ? 1 : 2)) % limit;
  }

 private:
  std::span<const std::uint8_t> rest_;
};

}  // namespace gabion::fuzz

#endif  // GABION_FUZZ_INPUT_READER_H_
