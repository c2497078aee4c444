// The environment the command will get: a copy of ours that can be changed.
#ifndef GABION_CLI_ENVIRONMENT_H_
#define GABION_CLI_ENVIRONMENT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gabion::cli {

class Environment {
 public:
  Environment() = default;
  explicit Environment(char** variables);

  std::optional<std::string> get(std::string_view name) const;
  void set(std::string_view name, std::string_view value);
  const std::vector<std::string>& variables() const { return variables_; }

 private:
  std::vector<std::string> variables_;  // NAME=VALUE
};

// LD_PRELOAD with `library` first. Another libgabion in `old` (of a `gabion run` further out) is
// left out: two allocators in one process help nobody.
std::string preload_list(std::string_view library, std::string_view old);

}  // namespace gabion::cli

#endif  // GABION_CLI_ENVIRONMENT_H_
