#include "tests/support/workspace.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace gabion::testing {
namespace {

std::string required(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr) throw std::runtime_error(std::string(variable) + " is not set");
  return value;
}

std::filesystem::path workspace_root() {
  const char* sources = std::getenv("TEST_SRCDIR");
  const char* workspace = std::getenv("TEST_WORKSPACE");
  if (sources != nullptr && workspace != nullptr) {
    return std::filesystem::path(sources) / workspace;
  }
  const char* root = std::getenv("GABION_TEST_ROOT");
  return root != nullptr ? std::filesystem::path(root) : std::filesystem::current_path();
}

}  // namespace

Profile profile_under_test() {
  return {.name = required("GABION_TEST_PROFILE"),
          .library = workspace_file(required("GABION_TEST_LIBRARY"))};
}

std::string workspace_file(std::string_view path) {
  const std::filesystem::path file = std::filesystem::absolute(workspace_root() / path);
  if (!std::filesystem::exists(file)) throw std::runtime_error("missing file: " + file.string());
  return file.string();
}

std::vector<std::string> words_of(const char* variable) {
  const char* value = std::getenv(variable);
  std::istringstream text(value != nullptr ? value : "");
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

std::string base_name(std::string_view path) {
  return std::filesystem::path(path).filename().string();
}

ScratchDirectory::ScratchDirectory() {
  const char* base = std::getenv("TEST_TMPDIR");
  path_ = std::string(base != nullptr ? base : "/tmp") + "/gabion-test-XXXXXX";
  if (mkdtemp(path_.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), path_);
  }
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Environment preloaded(const Profile& profile, const std::string& log_dir) {
  return {{"LD_PRELOAD", profile.library}, {"GABION_OPTIONS", "log_dir=" + log_dir}};
}

}  // namespace gabion::testing
