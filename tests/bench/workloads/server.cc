// A server with a pool of workers: each replaces random blocks in its own share of a table of slots
// and, one time in eight, in anyone's, and after a while hands its share to a new thread and exits.
// Most blocks so outlive the thread that allocated them or are freed by another one, without any
// pattern an allocator could rely on.
#include <atomic>
#include <latch>
#include <thread>

#include "tests/bench/support/block.h"
#include "tests/bench/support/mapped_array.h"
#include "tests/bench/support/random.h"
#include "tests/bench/support/sizes.h"
#include "tests/bench/support/stopwatch.h"
#include "tests/bench/workloads/workloads.h"

namespace gabion::bench {
namespace {

constexpr unsigned kWorkers = 4;
constexpr std::size_t kSlotsPerWorker = 2000;
constexpr std::size_t kGenerations = 50;
constexpr std::size_t kReplacements = 40'000;  // by each thread

using Slots = MappedArray<std::atomic<Node*>>;

struct Service {
  Service(unsigned workers, const Settings& settings)
      : slots(workers * kSlotsPerWorker),
        done(static_cast<std::ptrdiff_t>(workers)),
        generations(settings.scaled(kGenerations)),
        seed(settings.seed) {}

  Slots slots;
  std::latch done;
  std::size_t generations;
  std::uint64_t seed;
};

void replace(std::atomic<Node*>& slot, Node* node) {
  Node* old = slot.exchange(node, std::memory_order_acq_rel);
  if (old != nullptr) delete_node(old);
}

void serve(Service& service, unsigned worker, std::size_t generation) {
  Random random(service.seed + worker * service.generations + generation);
  const std::size_t first = worker * kSlotsPerWorker;
  for (std::size_t i = 0; i < kReplacements; ++i) {
    const bool own = random.below(8) != 0;
    const std::size_t slot =
        own ? first + random.below(kSlotsPerWorker) : random.below(service.slots.size());
    replace(service.slots[slot], new_node(random.between(kMinNodeSize, 1000), random.next()));
  }
  if (generation + 1 == service.generations) {
    service.done.count_down();
    return;
  }
  std::thread(serve, std::ref(service), worker, generation + 1).detach();
}

}  // namespace

Result server(const Settings& settings) {
  const unsigned workers = settings.threads_or(kWorkers);
  Service service(workers, settings);
  const Stopwatch watch;
  for (unsigned worker = 0; worker < workers; ++worker) {
    std::thread(serve, std::ref(service), worker, std::size_t{0}).detach();
  }
  service.done.wait();
  for (std::atomic<Node*>& slot : service.slots) replace(slot, nullptr);
  return {.seconds = watch.seconds(),
          .operations = 2 * workers * service.generations * kReplacements};
}

}  // namespace gabion::bench
