#include "src/cli/runtime_options.h"

#include <algorithm>

namespace gabion::cli {
namespace {

bool has_key(std::string_view entry, std::string_view key) {
  return entry.starts_with(key) && entry.substr(key.size()).starts_with('=');
}

}  // namespace

RuntimeOptions::RuntimeOptions(std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(':'), text.size());
    if (end != 0) users_.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::optional<std::string> RuntimeOptions::get(std::string_view key) const {
  for (const std::vector<std::string>* list : {&users_, &ours_}) {
    const auto found = std::find_if(list->rbegin(), list->rend(),
                                    [&](const std::string& entry) { return has_key(entry, key); });
    if (found != list->rend()) return found->substr(key.size() + 1);
  }
  return std::nullopt;
}

void RuntimeOptions::replace(std::string_view key, std::string_view value) {
  std::erase_if(users_, [&](const std::string& entry) { return has_key(entry, key); });
  std::erase_if(ours_, [&](const std::string& entry) { return has_key(entry, key); });
  ours_.push_back(std::string(key) + "=" + std::string(value));
}

void RuntimeOptions::set_default(std::string_view key, std::string_view value) {
  if (!get(key)) replace(key, value);
}

std::string RuntimeOptions::text() const {
  std::string text;
  for (const std::vector<std::string>* list : {&ours_, &users_}) {
    for (const std::string& entry : *list) {
      if (!text.empty()) text += ':';
      text += entry;
    }
  }
  return text;
}

}  // namespace gabion::cli
