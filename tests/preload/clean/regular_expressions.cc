#include <iostream>
#include <iterator>
#include <regex>
#include <string>

int main() {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    text += "user" + std::to_string(i) + "@host" + std::to_string(i % 7) + ".example, ";
  }
  const std::regex address(R"((\w+)@((\w+)(\.\w+)*))");
  size_t hosts = 0;
  for (std::sregex_iterator match(text.begin(), text.end(), address), end; match != end; ++match) {
    hosts += (*match)[2].length() > 0 ? 1U : 0U;
  }
  const std::string replaced = std::regex_replace(text, std::regex("host[0-3]"), "gate");
  std::smatch parts;
  const std::string date = "2026-02-03T04:05:06";
  std::regex_match(date, parts, std::regex(R"((\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+))"));
  std::cout << hosts << ' ' << replaced.size() << ' ' << parts.size() << ' ' << parts[6] << '\n';
  try {
    std::regex broken("(unclosed");
  } catch (const std::regex_error&) {
    std::cout << "refused\n";
  }
}
