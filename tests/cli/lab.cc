#include "tests/cli/lab.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace gabion::cli {
namespace {

// Compiled once for all tests of a program.
const std::string& fake_runtime() {
  static const testing::ScratchDirectory directory;
  static const std::string path = [] {
    std::string library = directory.path() + "/libgabion-debug.so";
    Lab::must({"g++", "-std=c++20", "-O1", "-g", "-Wall", "-Wextra", "-shared", "-fPIC",
               "-static-libstdc++", "-static-libgcc", "-o", library, testdata("fake_runtime.cc")});
    return library;
  }();
  return path;
}

}  // namespace

Lab::Lab() {
  namespace fs = std::filesystem;
  fs::create_directory(file("bin"));
  fs::copy_file(testing::workspace_file("gabion"), gabion());
  fs::copy_file(fake_runtime(), file("bin/libgabion-debug.so"));
}

std::string Lab::compile(const std::string& output, std::vector<std::string> arguments) const {
  std::vector<std::string> command = {"g++"};
  if (!arguments.empty() && arguments.front().starts_with("clang")) {
    command = {arguments.front()};
    arguments.erase(arguments.begin());
  }
  command.insert(command.end(), {"-std=c++20", "-o", file(output)});
  for (const std::string& argument : arguments) {
    const bool is_source = argument.ends_with(".cc") && argument.find('/') == std::string::npos;
    command.push_back(is_source ? testdata(argument) : argument);
  }
  must(command);
  return file(output);
}

std::string Lab::write(const std::string& name, const std::string& text, int mode) const {
  std::ofstream(file(name)) << text;
  chmod(file(name).c_str(), static_cast<mode_t>(mode));
  return file(name);
}

testing::Outcome Lab::run(std::vector<std::string> arguments,
                          const testing::Environment& environment) const {
  arguments.insert(arguments.begin(), gabion());
  return testing::run({.argv = std::move(arguments), .env = environment});
}

void Lab::must(const std::vector<std::string>& command) {
  const testing::Outcome outcome = testing::run({.argv = command});
  if (!outcome.ok()) throw std::runtime_error(command.front() + " " + outcome.describe());
}

std::string testdata(const std::string& name) {
  return testing::workspace_file("tests/cli/testdata/" + name);
}

int line_of(const std::string& name, const std::string& mark) {
  std::ifstream file(testdata(name));
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.ends_with("// line: " + mark)) return number;
  }
  throw std::runtime_error("no line " + mark);
}

std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

bool exists_in_path(const std::string& program) {
  return testing::run({.argv = {program, "--version"}}).ok();
}

}  // namespace gabion::cli
