// The malloc family as a state machine: what one input's operations share.
#ifndef GABION_FUZZ_MALLOC_STATE_H_
#define GABION_FUZZ_MALLOC_STATE_H_

#include <cstddef>
#include <cstdint>

#include "fuzz/model.h"
#include "fuzz/workers.h"

namespace gabion::fuzz {

class MallocState {
 public:
  MallocState();

  Model& model() { return model_; }
  Workers& workers() { return workers_; }

  // The size to ask for instead of `size`, after releasing blocks until it fits: an input's work
  // is bounded.
  std::size_t make_room(std::size_t size);
  std::size_t allowed_alignment(std::size_t alignment);

  // Releases a block through one of the ways that are legal for it; `way` chooses.
  void release(std::size_t index, unsigned way);

  // What must hold after each step. Checks every block now and then, one of them each time.
  void check_step(std::size_t step);

  // The end of an input: all contents are right, and all blocks can be released.
  void finish();

 private:
  Model& model_;
  Workers workers_;
  std::size_t work_left_ = std::size_t{256} << 20;
  int wide_alignments_left_ = 4;
};

}  // namespace gabion::fuzz

#endif  // GABION_FUZZ_MALLOC_STATE_H_
