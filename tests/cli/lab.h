// A directory with a copy of the command, a stand-in for the runtime library beside it, and room
// for small programs to run under them.
#ifndef GABION_TESTS_CLI_LAB_H_
#define GABION_TESTS_CLI_LAB_H_

#include <string>
#include <vector>

#include "tests/support/subprocess.h"
#include "tests/support/workspace.h"

namespace gabion::cli {

class Lab {
 public:
  Lab();

  const std::string& path() const { return scratch_.path(); }
  std::string file(const std::string& name) const { return path() + "/" + name; }
  // The command; its library is in the same directory.
  std::string gabion() const { return file("bin/gabion"); }

  // Compiles sources of testdata (names without a slash) or other files into `output`.
  std::string compile(const std::string& output, std::vector<std::string> arguments) const;

  std::string write(const std::string& name, const std::string& text, int mode = 0644) const;

  // gabion ARGUMENTS...
  testing::Outcome run(std::vector<std::string> arguments,
                       const testing::Environment& environment = {}) const;

  // Runs a command that has to succeed.
  static void must(const std::vector<std::string>& command);

 private:
  testing::ScratchDirectory scratch_;
};

std::string testdata(const std::string& name);

// Number of the line of a testdata file that ends in "// line: MARK".
int line_of(const std::string& name, const std::string& mark);

std::string read_file(const std::string& path);
bool exists_in_path(const std::string& program);

}  // namespace gabion::cli

#endif  // GABION_TESTS_CLI_LAB_H_
