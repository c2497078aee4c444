#include "src/cli/bug_report.h"

namespace gabion::cli {

std::vector<Stack*> BugReport::stacks() {
  std::vector<Stack*> list;
  for (std::optional<Stack>* stack : {&error_stack, &free_stack, &alloc_stack}) {
    if (*stack) list.push_back(&**stack);
  }
  return list;
}

std::vector<const Stack*> BugReport::stacks() const {
  const std::vector<Stack*> list = const_cast<BugReport*>(this)->stacks();
  return {list.begin(), list.end()};
}

bool BugReport::found_late() const {
  return detected == "exit" || detected == "eviction" || detected == "check";
}

}  // namespace gabion::cli
