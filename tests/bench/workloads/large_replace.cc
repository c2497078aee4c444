// Twenty blocks of 64 KiB to 25 MiB, one of which is replaced at random, over and over, a word
// written on each page: images, matrices, columns of a table. The allocator must decide between
// keeping memory, which costs residency and fragments addresses, and giving it back, which costs a
// fault for each page.
#include "tests/bench/support/block.h"
#include "tests/bench/support/mapped_array.h"
#include "tests/bench/support/random.h"
#include "tests/bench/support/stopwatch.h"
#include "tests/bench/workloads/workloads.h"

namespace gabion::bench {
namespace {

constexpr std::size_t kAlive = 20;
constexpr std::size_t kMinSize = std::size_t{64} << 10;
constexpr std::size_t kMaxSize = std::size_t{25} << 20;
constexpr std::size_t kReplacements = 1000;
constexpr std::size_t kPage = 4096;

struct Block {
  unsigned char* data;
  std::size_t size;
  std::uint64_t key;
};

void touch(const Block& block) {
  for (std::size_t at = 0; at < block.size; at += kPage) block.data[at] = key_byte(block.key + at);
}

void release(const Block& block) {
  for (std::size_t at = 0; at < block.size; at += kPage) {
    require(block.data[at] == key_byte(block.key + at), "a large block lost a page");
  }
  std::free(block.data);
}

}  // namespace

Result large_replace(const Settings& settings) {
  const std::size_t replacements = settings.scaled(kReplacements);
  Random random(settings.seed);
  MappedArray<Block> blocks(settings.live_or(kAlive));
  const Stopwatch watch;
  for (std::size_t i = 0; i < replacements; ++i) {
    Block& block = blocks[i < blocks.size() ? i : random.below(blocks.size())];
    if (block.data != nullptr) release(block);
    const std::size_t size = random.between(kMinSize, kMaxSize);
    block = {static_cast<unsigned char*>(allocate(size)), size, random.next()};
    touch(block);
  }
  for (const Block& block : blocks) {
    if (block.data != nullptr) release(block);
  }
  return {.seconds = watch.seconds(), .operations = 2 * replacements};
}

}  // namespace gabion::bench
