// The same bug is reported by every process and every iteration that runs into it. Here it becomes
// one, with a count.
#ifndef GABION_CLI_DEDUP_H_
#define GABION_CLI_DEDUP_H_

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "src/cli/bug_report.h"

namespace gabion::cli {

struct Bug {
  BugReport report;  // the first one seen
  uint64_t count = 0;
  std::set<int64_t> pids;
};

// Two reports with equal keys are the same bug: the same kind, and the same user frames at the top
// of the telling stack and of the allocation stack. Functions and lines stand for frames where they
// are known, so that one source file linked into many programs gives one bug; else module and
// offset do.
std::string bug_key(const BugReport& report);

// In the order of their first report. May be fed reports before symbolization (which merges only
// what has equal addresses and keeps memory bounded) and merged again after it.
class BugList {
 public:
  void add(BugReport&& report);
  void add(Bug&& bug);

  std::vector<Bug>& bugs() { return bugs_; }
  const std::vector<Bug>& bugs() const { return bugs_; }
  uint64_t reports() const;

 private:
  std::vector<Bug> bugs_;
  std::unordered_map<std::string, size_t> index_;
};

BugList merge_again(BugList&& list);

}  // namespace gabion::cli

#endif  // GABION_CLI_DEDUP_H_
