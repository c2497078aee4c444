// `pair_loop COUNT [SIZE [BATCH]]`: COUNT times malloc and free of SIZE bytes, BATCH blocks up and
// down at a time, and nothing else: the program whose instructions instructions.sh counts.
#include <cstdio>
#include <cstdlib>

namespace {

constexpr long kMaxBatch = 1000;

// Keeps the compiler from dropping the pair, at no instruction.
void* opaque(void* block) {
  asm volatile("" : "+r"(block) : : "memory");
  return block;
}

}  // namespace

int main(int argc, char** argv) {
  const long count = argc > 1 ? std::atol(argv[1]) : 0;
  const auto size = static_cast<std::size_t>(argc > 2 ? std::atol(argv[2]) : 32);
  const long batch = argc > 3 ? std::atol(argv[3]) : 1;
  if (count < 0 || batch < 1 || batch > kMaxBatch) {
    std::fputs("usage: pair_loop COUNT [SIZE [BATCH]], with a batch of 1 to 1000\n", stderr);
    return 2;
  }
  if (batch == 1) {
    for (long i = 0; i < count; ++i) std::free(opaque(std::malloc(size)));
    return 0;
  }
  void* blocks[kMaxBatch];
  for (long done = 0; done < count; done += batch) {
    for (long i = 0; i < batch; ++i) blocks[i] = opaque(std::malloc(size));
    for (long i = batch; i-- > 0;) std::free(opaque(blocks[i]));
  }
  return 0;
}
