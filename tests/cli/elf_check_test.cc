#include "src/cli/elf_check.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "src/cli/command_path.h"
#include "src/cli/error.h"
#include "src/cli/script.h"
#include "tests/cli/lab.h"

namespace gabion::cli {
namespace {

class ElfCheck : public ::testing::Test {
 protected:
  std::string build(const std::string& name, std::vector<std::string> options) {
    lab_.write("s.c", "int main(void) { return 0; }");
    options.insert(options.end(), {"-x", "c", "-std=c11", lab_.file("s.c")});
    return lab_.compile(name, options);
  }
  std::string reason(const std::string& path) {
    const auto obstacle = find_obstacle(path, "/usr/bin:/bin");
    return obstacle ? obstacle->reason : "";
  }

  Lab lab_;
};

TEST_F(ElfCheck, OrdinaryPrograms) {
  EXPECT_EQ(reason("/bin/sh"), "");
  EXPECT_EQ(reason(build("a", {})), "");
  EXPECT_EQ(reason(build("b", {"-no-pie"})), "");
  Lab::must({"strip", lab_.file("a")});
  EXPECT_EQ(reason(lab_.file("a")), "");
}

TEST_F(ElfCheck, Static) {
  EXPECT_EQ(reason(build("a", {"-static"})), "is statically linked");
  EXPECT_EQ(reason(build("b", {"-static-pie"})), "is statically linked");
}

TEST_F(ElfCheck, Sanitizers) {
  EXPECT_EQ(reason(build("a", {"-fsanitize=address"})), "is built with AddressSanitizer");
  EXPECT_EQ(reason(build("b", {"-fsanitize=address", "-static-libasan"})),
            "is built with AddressSanitizer");
  EXPECT_EQ(reason(build("t", {"-fsanitize=thread"})), "is built with ThreadSanitizer");
  EXPECT_EQ(reason(build("u", {"-fsanitize=undefined"})), "");
  EXPECT_TRUE(find_obstacle(lab_.file("a"), std::nullopt)->must_not_preload);
  if (!exists_in_path("clang++-19")) return;
  EXPECT_EQ(reason(build("c", {"clang++-19", "-fsanitize=address"})),
            "is built with AddressSanitizer");
  EXPECT_EQ(reason(build("m", {"clang++-19", "-fsanitize=memory"})),
            "is built with MemorySanitizer");
}

TEST_F(ElfCheck, OtherClassOrMachine) {
  const std::string path = build("a", {});
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(18).put('\xf3');  // e_machine: RISC-V
  file.close();
  EXPECT_EQ(reason(path), "is for another kind of machine");
  lab_.write("b", std::string("\x7f"
                              "ELF\x01\x01\x01",
                              7) +
                      std::string(9, '\0') + std::string("\x02\x00\x03\x00\x01\x00\x00\x00", 8) +
                      std::string(28, '\0'));
  EXPECT_EQ(reason(lab_.file("b")), "is a 32-bit program");
}

TEST_F(ElfCheck, SetUserId) {
  if (geteuid() != 0) GTEST_SKIP() << "needs another user's program";
  const std::string path = build("a", {});
  if (chown(path.c_str(), 12345, 12345) != 0) GTEST_SKIP() << "not allowed in this sandbox";
  ASSERT_EQ(chmod(path.c_str(), 04755), 0);
  EXPECT_EQ(reason(path), "is set-user-ID or set-group-ID");
  ASSERT_EQ(chmod(path.c_str(), 02755), 0);
  EXPECT_EQ(reason(path), "is set-user-ID or set-group-ID");
  ASSERT_EQ(chmod(path.c_str(), 0755), 0);
  EXPECT_EQ(reason(path), "");
}

TEST_F(ElfCheck, NotElf) {
  EXPECT_EQ(reason(lab_.write("a", "")), "");
  EXPECT_EQ(reason(lab_.write("b",
                              "\x7f"
                              "ELF")),
            "");
  EXPECT_EQ(reason(lab_.file("nothing")), "");
}

TEST_F(ElfCheck, ScriptsLeadToTheirInterpreter) {
  const std::string program = build("a", {"-static"});
  lab_.write("one", "#! " + program + " -x\n");
  lab_.write("two", "#!" + lab_.file("one") + "\n");
  EXPECT_EQ(reason(lab_.file("two")), "is statically linked");
  EXPECT_EQ(find_obstacle(lab_.file("two"), std::nullopt)->program, program);

  chmod(program.c_str(), 0755);
  lab_.write("env", "#!/usr/bin/env -S A=b a -x\n");
  EXPECT_EQ(resolve_script(lab_.file("env"), "/nothing:" + lab_.path()), program);
  EXPECT_EQ(resolve_script(lab_.file("env"), "/nothing"), lab_.file("env"));
  lab_.write("loop", "#!" + lab_.file("loop") + "\n");
  EXPECT_EQ(resolve_script(lab_.file("loop"), std::nullopt), lab_.file("loop"));
}

TEST_F(ElfCheck, CommandPath) {
  lab_.write("bin/tool", "", 0755);
  lab_.write("tool", "", 0644);
  EXPECT_EQ(resolve_command("tool", lab_.path() + ":" + lab_.file("bin")), lab_.file("bin/tool"));
  EXPECT_EQ(resolve_command("sh", std::nullopt), "/bin/sh");
  const auto status = [](const std::string& name, const std::string& path) {
    try {
      resolve_command(name, path);
    } catch (const Error& error) {
      return error.status();
    }
    return 0;
  };
  EXPECT_EQ(status("tool", lab_.path()), 126);
  EXPECT_EQ(status("bin", lab_.path()), 126);
  EXPECT_EQ(status("absent", lab_.path() + ":"), 127);
  EXPECT_EQ(status("sh/x", lab_.path()), 127);
}

}  // namespace
}  // namespace gabion::cli
