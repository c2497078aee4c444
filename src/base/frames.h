// A stack trace as plain data: return addresses, innermost first.
#ifndef GABION_BASE_FRAMES_H_
#define GABION_BASE_FRAMES_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace gabion::base {

inline constexpr size_t kMaxFrames = 64;

using Frames = std::span<const uintptr_t>;

}  // namespace gabion::base

#endif  // GABION_BASE_FRAMES_H_
