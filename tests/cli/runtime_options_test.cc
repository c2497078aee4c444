#include "src/cli/runtime_options.h"

#include <gtest/gtest.h>

#include "src/cli/environment.h"

namespace gabion::cli {
namespace {

TEST(RuntimeOptions, OursComeFirstAndTheUsersStay) {
  RuntimeOptions options("stack_depth=8:odd::x=1:");
  options.replace("log_dir", "/d");
  EXPECT_EQ(options.text(), "log_dir=/d:stack_depth=8:odd:x=1");
}

TEST(RuntimeOptions, ReplaceTakesTheUsersValueAway) {
  RuntimeOptions options("log_dir=/a:log_dir_x=1:log_dir=/b");
  EXPECT_EQ(options.get("log_dir"), "/b");
  options.replace("log_dir", "/d");
  options.replace("log_dir", "/e");
  EXPECT_EQ(options.text(), "log_dir=/e:log_dir_x=1");
}

TEST(RuntimeOptions, DefaultGivesWayToTheUser) {
  RuntimeOptions options("log_path=stderr");
  options.set_default("log_path", "none");
  options.set_default("exit_code", "86");
  EXPECT_EQ(options.text(), "exit_code=86:log_path=stderr");
  EXPECT_EQ(options.get("nothing"), std::nullopt);
}

TEST(RuntimeOptions, Empty) { EXPECT_EQ(RuntimeOptions("").text(), ""); }

TEST(Environment, SetReplacesAllOfAName) {
  char a[] = "A=1";
  char b[] = "AB=2";
  char c[] = "A=3";
  char* variables[] = {a, b, c, nullptr};
  Environment environment(variables);
  EXPECT_EQ(environment.get("A"), "1");
  EXPECT_EQ(environment.get("B"), std::nullopt);
  environment.set("A", "4");
  EXPECT_EQ(environment.variables(), (std::vector<std::string>{"AB=2", "A=4"}));
}

TEST(PreloadList, IsPrependedTo) {
  EXPECT_EQ(preload_list("/l/libgabion.so", ""), "/l/libgabion.so");
  EXPECT_EQ(preload_list("/l/libgabion.so", "a.so b.so:/c.so"), "/l/libgabion.so:a.so:b.so:/c.so");
  EXPECT_EQ(preload_list("/l/libgabion.so", " : "), "/l/libgabion.so");
}

TEST(PreloadList, ReplacesAnotherGabion) {
  EXPECT_EQ(preload_list("/l/libgabion.so", "/m/libgabion-debug.so:x.so"), "/l/libgabion.so:x.so");
}

}  // namespace
}  // namespace gabion::cli
