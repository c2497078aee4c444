#include "src/cli/environment.h"

#include "src/cli/file.h"

namespace gabion::cli {
namespace {

bool defines(std::string_view variable, std::string_view name) {
  return variable.starts_with(name) && variable.substr(name.size()).starts_with('=');
}

bool is_gabion(std::string_view library) {
  const std::string name = base_name(library);
  return name.starts_with("libgabion") && name.find(".so") != std::string::npos;
}

}  // namespace

Environment::Environment(char** variables) {
  for (; variables != nullptr && *variables != nullptr; ++variables) {
    variables_.emplace_back(*variables);
  }
}

std::optional<std::string> Environment::get(std::string_view name) const {
  for (const std::string& variable : variables_) {
    if (defines(variable, name)) return variable.substr(name.size() + 1);
  }
  return std::nullopt;
}

void Environment::set(std::string_view name, std::string_view value) {
  std::erase_if(variables_, [&](const std::string& variable) { return defines(variable, name); });
  variables_.push_back(std::string(name) + "=" + std::string(value));
}

std::string preload_list(std::string_view library, std::string_view old) {
  std::string list(library);
  while (!old.empty()) {
    const size_t end = std::min(old.find_first_of(" :"), old.size());
    const std::string_view entry = old.substr(0, end);
    if (!entry.empty() && !is_gabion(entry)) (list += ':') += entry;
    old.remove_prefix(std::min(end + 1, old.size()));
  }
  return list;
}

}  // namespace gabion::cli
