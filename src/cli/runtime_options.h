// GABION_OPTIONS: "key=value:key=value", as the runtime reads it.
#ifndef GABION_CLI_RUNTIME_OPTIONS_H_
#define GABION_CLI_RUNTIME_OPTIONS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gabion::cli {

class RuntimeOptions {
 public:
  RuntimeOptions() = default;
  explicit RuntimeOptions(std::string_view text);

  // The last one, as for the runtime.
  std::optional<std::string> get(std::string_view key) const;

  // Puts our value before all others, in place of any value the key had.
  void replace(std::string_view key, std::string_view value);
  // The same, unless the user has set the key.
  void set_default(std::string_view key, std::string_view value);

  std::string text() const;

 private:
  std::vector<std::string> ours_;
  std::vector<std::string> users_;  // in their order and spelling, also what is not key=value
};

}  // namespace gabion::cli

#endif  // GABION_CLI_RUNTIME_OPTIONS_H_
