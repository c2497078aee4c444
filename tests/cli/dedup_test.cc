#include "src/cli/dedup.h"

#include <gtest/gtest.h>

#include "src/cli/stack_view.h"

namespace gabion::cli {
namespace {

Frame frame(const std::string& module, uint64_t offset, const std::string& function = "",
            const std::string& file = "", int line = 0) {
  Frame frame;
  frame.module = module;
  frame.offset = offset;
  if (!function.empty()) frame.locations.push_back({function, 0, file, line, 1});
  return frame;
}

BugReport report(const std::string& kind, std::vector<Frame> error, std::vector<Frame> alloc,
                 int64_t pid = 1) {
  BugReport report;
  report.kind = kind;
  report.pid = pid;
  report.detected = "free";
  report.error_stack = Stack{0, std::move(error)};
  report.alloc_stack = Stack{0, std::move(alloc)};
  return report;
}

const Frame kGabion = frame("/l/libgabion-debug.so", 1, "free", "x.cc", 1);
const Frame kLibc = frame("/lib/libc.so.6", 2, "strdup", "s.c", 1);
const Frame kF = frame("/p", 10, "f()", "p.cc", 3);
const Frame kG = frame("/p", 20, "g()", "p.cc", 9);

size_t distinct(std::vector<BugReport> reports) {
  BugList list;
  for (BugReport& report : reports) list.add(std::move(report));
  return list.bugs().size();
}

TEST(Dedup, SameKindAndFramesAreOneBug) {
  BugList list;
  list.add(report("k", {kGabion, kF}, {kGabion, kG}, 1));
  list.add(report("k", {kF}, {kLibc, kG}, 2));
  list.add(report("k", {kF}, {kG}, 2));
  ASSERT_EQ(list.bugs().size(), 1u);
  EXPECT_EQ(list.bugs()[0].count, 3u);
  EXPECT_EQ(list.bugs()[0].pids, (std::set<int64_t>{1, 2}));
  EXPECT_EQ(list.reports(), 3u);
}

TEST(Dedup, KindErrorAndAllocationTellBugsApart) {
  EXPECT_EQ(distinct({report("k", {kF}, {kG}), report("l", {kF}, {kG})}), 2u);
  EXPECT_EQ(distinct({report("k", {kF}, {kG}), report("k", {kG}, {kG})}), 2u);
  EXPECT_EQ(distinct({report("k", {kF}, {kG}), report("k", {kF}, {kF})}), 2u);
  const Frame other_line = frame("/p", 11, "f()", "p.cc", 4);
  EXPECT_EQ(distinct({report("k", {kF}, {kG}), report("k", {other_line}, {kG})}), 2u);
}

TEST(Dedup, OneSourceInTwoProgramsIsOneBug) {
  const Frame elsewhere = frame("/q", 77, "f()", "p.cc", 3);
  EXPECT_EQ(distinct({report("k", {kF}, {kG}), report("k", {elsewhere}, {kG})}), 1u);
}

TEST(Dedup, DeepFramesDoNotMatter) {
  std::vector<Frame> stack = {kF, kG, kF};
  std::vector<Frame> longer = stack;
  longer.push_back(kG);
  EXPECT_EQ(distinct({report("k", stack, {}), report("k", longer, {})}), 1u);
}

TEST(Dedup, StandardTemplatesDoNotHideTheCaller) {
  const Frame grow =
      frame("/p", 30, "void std::vector<int>::_M_realloc_insert<int>(int&&)", "v.h", 1);
  const Frame push = frame("/p", 31, "std::vector<int>::push_back(int&&)", "v.h", 2);
  const Frame copy = frame("/p", 32, "int* std::copy<int*>(int*)", "v.h", 3);
  EXPECT_EQ(
      distinct({report("k", {grow, push, copy, kF}, {}), report("k", {grow, push, copy, kG}, {})}),
      2u);
}

TEST(Dedup, WithoutSymbolsModuleAndOffsetCount) {
  const Frame a = frame("/p", 1);
  const Frame b = frame("/p", 2);
  EXPECT_EQ(distinct({report("k", {a}, {a}), report("k", {a}, {a})}), 1u);
  EXPECT_EQ(distinct({report("k", {a}, {a}), report("k", {b}, {a})}), 2u);
}

TEST(Dedup, WhereDamageWasNoticedDoesNotMatter) {
  BugReport a = report("k", {kF}, {kG});
  BugReport b = report("k", {kG}, {kG});
  for (BugReport* late : {&a, &b}) {
    late->detected = "eviction";
    late->free_stack = Stack{0, {kF}};
  }
  EXPECT_EQ(telling_stack(a), &*a.free_stack);
  EXPECT_EQ(distinct({a, b}), 1u);
  b.free_stack->frames[0] = kG;
  EXPECT_EQ(distinct({a, b}), 2u);
}

TEST(Dedup, ReportsWithoutStacks) {
  BugReport a;
  a.kind = "k";
  a.message = "one";
  BugReport b = a;
  EXPECT_EQ(distinct({a, b}), 1u);
  b.message = "two";
  EXPECT_EQ(distinct({a, b}), 2u);
}

TEST(Dedup, MergedAgainAfterSymbolization) {
  BugList list;
  list.add(report("k", {frame("/p", 1)}, {}, 1));
  list.add(report("k", {frame("/q", 5)}, {}, 2));
  ASSERT_EQ(list.bugs().size(), 2u);
  for (Bug& bug : list.bugs()) bug.report.error_stack->frames[0].locations = kF.locations;
  list = merge_again(std::move(list));
  ASSERT_EQ(list.bugs().size(), 1u);
  EXPECT_EQ(list.bugs()[0].count, 2u);
  EXPECT_EQ(list.bugs()[0].pids.size(), 2u);
}

TEST(StackView, OwnFramesAreHiddenOnlyAtTheTop) {
  const Stack stack{0, {kGabion, kGabion, kF, kGabion, kG}};
  EXPECT_EQ(visible_frames(stack).size(), 3u);
  EXPECT_EQ(visible_frames(Stack{0, {kGabion}}).size(), 1u);
  EXPECT_TRUE(visible_frames(Stack{}).empty());
}

TEST(StackView, LinkedInRuntimeIsHiddenToo) {
  const Stack stack{0, {frame("/p", 1, "gabion::report::write(int)", "w.cc", 1), kF}};
  EXPECT_EQ(visible_frames(stack).size(), 1u);
}

}  // namespace
}  // namespace gabion::cli
