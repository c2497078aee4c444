#include "src/cli/dedup.h"

#include <fmt/format.h>

#include <algorithm>

#include "src/cli/stack_view.h"

namespace gabion::cli {
namespace {

constexpr size_t kFramesCompared = 3;

void append_unsymbolized(const Stack& stack, std::string& key) {
  // Without names nothing can be told about frames but their place: compare all of them.
  for (const Frame& frame : visible_frames(stack)) {
    key += fmt::format("|{}+{:x}", frame.module, frame.offset);
  }
}

void append_places(const Stack& stack, std::string& key) {
  std::vector<Place> places = user_places(stack);
  places.resize(std::min(places.size(), kFramesCompared));
  for (const Place& place : places) {
    const SourceLocation& at = *place.location;
    key += at.file.empty() ? fmt::format("|{}", module_and_offset(*place.frame))
                           : fmt::format("|{}:{}:{}", at.function, at.file, at.line);
  }
}

void append_stack(const Stack* stack, std::string& key) {
  key += "\n";
  if (stack == nullptr || stack->frames.empty()) return;
  if (stack->frames.front().locations.empty()) {
    append_unsymbolized(*stack, key);
  } else {
    append_places(*stack, key);
  }
}

}  // namespace

std::string bug_key(const BugReport& report) {
  std::string key = report.kind;
  const Stack* telling = telling_stack(report);
  const Stack* alloc = report.alloc_stack ? &*report.alloc_stack : nullptr;
  append_stack(telling, key);
  append_stack(alloc, key);
  // Nothing to compare: keep what the report says apart from addresses.
  if (telling == nullptr && alloc == nullptr) key += report.program + "|" + report.message;
  return key;
}

void BugList::add(BugReport&& report) {
  Bug bug;
  bug.count = 1;
  bug.pids.insert(report.pid);
  bug.report = std::move(report);
  add(std::move(bug));
}

void BugList::add(Bug&& bug) {
  const auto [entry, is_new] = index_.try_emplace(bug_key(bug.report), bugs_.size());
  if (is_new) {
    bugs_.push_back(std::move(bug));
    return;
  }
  Bug& known = bugs_[entry->second];
  known.count += bug.count;
  known.pids.merge(bug.pids);
}

uint64_t BugList::reports() const {
  uint64_t total = 0;
  for (const Bug& bug : bugs_) total += bug.count;
  return total;
}

BugList merge_again(BugList&& list) {
  BugList merged;
  for (Bug& bug : list.bugs()) merged.add(std::move(bug));
  return merged;
}

}  // namespace gabion::cli
