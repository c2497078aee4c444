#include "src/cli/script.h"

#include <unistd.h>

#include <sstream>
#include <vector>

#include "src/cli/command_path.h"
#include "src/cli/error.h"
#include "src/cli/file.h"

namespace gabion::cli {
namespace {

constexpr int kMaxDepth = 5;  // the kernel's limit is of this order

// The words of the "#!" line; none when the file has no such line.
std::vector<std::string> interpreter_line(const std::string& path) {
  const FileDescriptor file = open_regular_file(path);
  char start[512];
  const ssize_t length = file ? read(file.get(), start, sizeof start) : 0;
  std::string line(start, static_cast<size_t>(length > 0 ? length : 0));
  if (!line.starts_with("#!")) return {};
  line = line.substr(2, line.find('\n') - 2);
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// The command among the words of an env line, after options and assignments.
std::optional<std::string> env_command(const std::vector<std::string>& words) {
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i].starts_with('-') || words[i].find('=') != std::string::npos) continue;
    return words[i];
  }
  return std::nullopt;
}

}  // namespace

std::string resolve_script(const std::string& path, const std::optional<std::string>& path_list) {
  std::string current = path;
  for (int depth = 0; depth < kMaxDepth; ++depth) {
    const std::vector<std::string> words = interpreter_line(current);
    if (words.empty()) break;
    std::string next = words[0];
    if (base_name(next) == "env") {
      try {
        if (const auto command = env_command(words)) next = resolve_command(*command, path_list);
      } catch (const Error&) {
        break;  // env itself will say so
      }
    }
    current = next;
  }
  return current;
}

}  // namespace gabion::cli
