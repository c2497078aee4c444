#include "src/cli/stack_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "src/cli/file.h"

namespace gabion::cli {
namespace {

bool is_hidden(const Frame& frame) {
  if (base_name(frame.module).starts_with("libgabion")) return true;
  // Linked into the program instead of preloaded.
  return !frame.locations.empty() &&
         std::all_of(frame.locations.begin(), frame.locations.end(),
                     [](const SourceLocation& at) { return at.function.starts_with("gabion::"); });
}

bool is_system_module(const std::string& path) {
  static constexpr std::array<std::string_view, 9> kNames = {
      "libc.so",      "libc-2.",     "ld-linux",      "libstdc++.so", "libc++.so",
      "libc++abi.so", "libgcc_s.so", "libpthread.so", "libm.so"};
  const std::string name = base_name(path);
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view start) { return name.starts_with(start); });
}

// "std::..." as the function's own scope, also behind the return type that templates carry.
bool is_standard_function(std::string_view function) {
  for (const std::string_view scope : {"std::", "__gnu_cxx::", "operator new", "operator delete"}) {
    if (function.starts_with(scope)) return true;
    const size_t parameters = std::min(function.find_first_of("(<"), function.size());
    const size_t space = function.substr(0, parameters).rfind(' ');
    if (space != std::string_view::npos && function.substr(space + 1).starts_with(scope)) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::span<const SourceLocation> locations_of(const Frame& frame) {
  static const SourceLocation kUnknown;
  if (frame.locations.empty()) return {&kUnknown, 1};
  return frame.locations;
}

std::span<const Frame> visible_frames(const Stack& stack) {
  const auto first = std::find_if_not(stack.frames.begin(), stack.frames.end(), is_hidden);
  if (first == stack.frames.end()) return stack.frames;
  return {first, stack.frames.end()};
}

std::vector<Place> user_places(const Stack& stack) {
  std::vector<Place> all;
  std::vector<Place> own;
  for (const Frame& frame : visible_frames(stack)) {
    for (const SourceLocation& location : locations_of(frame)) {
      all.push_back({&frame, &location});
      if (!is_system_module(frame.module) && !is_standard_function(location.function)) {
        own.push_back({&frame, &location});
      }
    }
  }
  return own.empty() ? all : own;
}

const Stack* telling_stack(const BugReport& report) {
  const auto pointer = [](const std::optional<Stack>& stack) -> const Stack* {
    return stack && !stack->frames.empty() ? &*stack : nullptr;
  };
  const Stack* error = pointer(report.error_stack);
  if (error != nullptr && !report.found_late()) return error;
  for (const Stack* stack : {pointer(report.free_stack), pointer(report.alloc_stack)}) {
    if (stack != nullptr) return stack;
  }
  return error;
}

std::string module_and_offset(const Frame& frame) {
  return fmt::format("{}+0x{:x}", base_name(frame.module), frame.offset);
}

}  // namespace gabion::cli
