// libFuzzer target: the malloc family against a model of it.
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

#include "fuzz/failure.h"
#include "fuzz/input_reader.h"
#include "fuzz/malloc_operations.h"
#include "fuzz/malloc_state.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gabion::fuzz;
  constexpr int kMaxSteps = 2000;
  InputReader input({data, size});
  MallocState state;
  for (int i = 1; i <= kMaxSteps && !input.empty(); ++i) {
    const Step step = read_step(input);
    std::visit(
        [&](const auto& operation) {
          set_step(i, operation.kName);
          state.workers().run(step.where, [&] { operation.perform(state); });
        },
        step.operation);
    state.check_step(static_cast<std::size_t>(i));
  }
  set_step(kMaxSteps, "finish");
  state.finish();
  return 0;
}
