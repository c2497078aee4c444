// A thousand buffers that grow by a few bytes at a time, in random turn, until they have 64 KiB and
// start again: lines, messages and output that are appended to piece by piece without a capacity of
// their own. It rewards an allocator that grows in place, or whose sizes leave some room.
#include "tests/bench/support/block.h"
#include "tests/bench/support/mapped_array.h"
#include "tests/bench/support/random.h"
#include "tests/bench/support/stopwatch.h"
#include "tests/bench/workloads/workloads.h"

namespace gabion::bench {
namespace {

constexpr std::size_t kBuffers = 1000;
constexpr std::size_t kFull = 65536;
constexpr std::size_t kMaxStep = 300;
constexpr std::size_t kSteps = 1'200'000;

struct Buffer {
  unsigned char* data;
  std::size_t size;
  std::size_t last;  // where the newest piece begins
};

// The oldest byte, the newest piece's first and the last one: what a wrong copy would lose.
void check(const Buffer& buffer, std::uint64_t key) {
  require(buffer.data[0] == key_byte(key) &&
              buffer.data[buffer.last] == key_byte(key + buffer.last) &&
              buffer.data[buffer.size - 1] == key_byte(key + buffer.last),
          "realloc lost bytes");
}

}  // namespace

Result realloc_growth(const Settings& settings) {
  const std::size_t steps = settings.scaled(kSteps);
  Random random(settings.seed);
  MappedArray<Buffer> buffers(settings.live_or(kBuffers));
  std::uint64_t moved = 0;
  const Stopwatch watch;
  for (std::size_t step = 0; step < steps; ++step) {
    const std::size_t index = random.below(buffers.size());
    Buffer& buffer = buffers[index];
    if (buffer.size > kFull) {
      std::free(buffer.data);
      buffer = {};
    }
    const std::size_t size = buffer.size + random.between(1, kMaxStep);
    const auto before = reinterpret_cast<std::uintptr_t>(buffer.data);
    buffer.data = static_cast<unsigned char*>(reallocate(buffer.data, size));
    moved += before != 0 && reinterpret_cast<std::uintptr_t>(buffer.data) != before;
    if (buffer.size != 0) check(buffer, index);
    fill(buffer.data + buffer.size, size - buffer.size, index + buffer.size);
    buffer.last = buffer.size;
    buffer.size = size;
  }
  for (const Buffer& buffer : buffers) std::free(buffer.data);
  return {.seconds = watch.seconds(),
          .operations = steps,
          .metrics = {{"moved", static_cast<double>(moved)}}};
}

}  // namespace gabion::bench
