#include "src/hardening/options.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <span>
#include <system_error>

#include "src/hardening/profile.h"
#include "src/os/process.h"

namespace gabion::hardening {
namespace {

constexpr std::string_view kVariable = "GABION_OPTIONS";

// By profile, in the order of the list's columns.
struct Defaults {
  uint64_t fast, hardened, debug;

  constexpr uint64_t here() const {
    return kProfile.name == kDebug.name ? debug : kProfile.name == kHardened.name ? hardened : fast;
  }
};

enum class Type : uint8_t { kFlag, kNumber, kText, kChoice };

struct Description {
  std::string_view key;
  Type type;
  Defaults defaults;
  uint64_t smallest, largest;
  std::string_view default_text;  // of a choice all words
  std::string_view help;
  bool Options::* flag;
  uint64_t Options::* number;
  std::string_view Options::* text;
};

constexpr Description kDescriptions[] = {
#define GABION_FLAG(key, fast, hardened, debug, help) \
  {#key, Type::kFlag, {fast, hardened, debug}, 0, 1, "", help, &Options::key, nullptr, nullptr},
#define GABION_NUMBER(key, fast, hardened, debug, smallest, largest, help) \
  {#key, Type::kNumber, {fast, hardened, debug}, smallest, largest, "",    \
   help, nullptr,       &Options::key,           nullptr},
#define GABION_TEXT(key, text, help) \
  {#key, Type::kText, {0, 0, 0}, 0, 0, text, help, nullptr, nullptr, &Options::key},
#define GABION_CHOICE(key, words, help) \
  {#key, Type::kChoice, {0, 0, 0}, 0, 0, words, help, nullptr, &Options::key, nullptr},
    GABION_OPTION_LIST(GABION_FLAG, GABION_NUMBER, GABION_TEXT, GABION_CHOICE)
#undef GABION_FLAG
#undef GABION_NUMBER
#undef GABION_TEXT
#undef GABION_CHOICE
};

// Statuses that test runners give a meaning: skipped, and hard error.
constexpr uint64_t kRefusedExitCodes[] = {77, 99};

const Description* find_description(std::string_view key) {
  for (const Description& description : kDescriptions) {
    if (description.key == key) return &description;
  }
  return nullptr;
}

bool parse_number(std::string_view text, uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool parse_flag(std::string_view text, uint64_t& value) {
  const bool on = text == "1" || text == "true" || text == "yes" || text == "on";
  value = on;
  return on || text == "0" || text == "false" || text == "no" || text == "off";
}

// The next of the words that | separates, taken off their front.
std::string_view next_word(std::string_view& words) {
  const size_t end = std::min(words.find('|'), words.size());
  const std::string_view word = words.substr(0, end);
  words.remove_prefix(std::min(end + 1, words.size()));
  return word;
}

bool parse_choice(std::string_view text, std::string_view words, uint64_t& value) {
  for (uint64_t place = 0; !words.empty(); ++place) {
    if (next_word(words) != text) continue;
    value = place;
    return true;
  }
  return false;
}

bool is_refused(const Description& description, uint64_t value) {
  if (value < description.smallest || value > description.largest) return true;
  return description.key == "exit_code" &&
         std::find(std::begin(kRefusedExitCodes), std::end(kRefusedExitCodes), value) !=
             std::end(kRefusedExitCodes);
}

bool apply(const Description& description, std::string_view text, Options& options) {
  uint64_t value = 0;
  switch (description.type) {
    case Type::kFlag:
      if (!parse_flag(text, value)) return false;
      options.*description.flag = value != 0;
      return true;
    case Type::kNumber:
      if (!parse_number(text, value) || is_refused(description, value)) return false;
      options.*description.number = value;
      return true;
    case Type::kText:
      if (text.size() > kMaxOptionText) return false;
      options.*description.text = text;
      return true;
    case Type::kChoice:
      if (!parse_choice(text, description.default_text, value)) return false;
      options.*description.number = value;
      return true;
  }
  return false;
}

void complain_of_value(const Description& description, std::string_view text, Complain complain) {
  base::FixedText<256> line;
  line << "bad value in " << kVariable << ": " << description.key << '=' << text.substr(0, 64)
       << " (want ";
  switch (description.type) {
    case Type::kFlag:
      line << "0 or 1";
      break;
    case Type::kNumber:
      line << description.smallest << " to " << description.largest;
      for (const uint64_t refused : kRefusedExitCodes) {
        if (description.key == "exit_code") line << ", not " << refused;
      }
      break;
    case Type::kText:
      line << "at most " << kMaxOptionText << " characters";
      break;
    case Type::kChoice:
      line << description.default_text;
      break;
  }
  line << "); the default is used";
  complain(line.view());
}

void parse_one(std::string_view item, Options& options, Complain complain) {
  if (item.empty()) return;
  const size_t equals = item.find('=');
  const std::string_view key = item.substr(0, equals);
  const Description* description = find_description(key);
  if (description == nullptr) {
    base::FixedText<256> line;
    line << "unknown key in " << kVariable << ": " << key.substr(0, 64);
    complain(line.view());
    return;
  }
  std::string_view text = item;  // substr() at a position would need libstdc++ to throw
  text.remove_prefix(std::min(key.size() + 1, item.size()));
  if (!apply(*description, text, options)) complain_of_value(*description, text, complain);
}

// Text values outlive the environment, which the program may overwrite.
void copy_texts(Options& options, std::span<char> pool) {
  for (const Description& description : kDescriptions) {
    if (description.type != Type::kText) continue;
    std::string_view& text = options.*description.text;
    const size_t size = std::min(text.size(), pool.size());
    if (size != 0) memcpy(pool.data(), text.data(), size);
    text = {pool.data(), size};
    pool = pool.subspan(size);
  }
}

constexpr size_t kTexts = std::count_if(std::begin(kDescriptions), std::end(kDescriptions),
                                        [](const Description& d) { return d.type == Type::kText; });

constinit char text_pool[kTexts * kMaxOptionText] = {};

constexpr Options defaults() {
  Options options;
  for (const Description& description : kDescriptions) {
    switch (description.type) {
      case Type::kFlag:
        options.*description.flag = description.defaults.here() != 0;
        break;
      case Type::kNumber:
      case Type::kChoice:
        options.*description.number = description.defaults.here();
        break;
      case Type::kText:
        options.*description.text = description.default_text;
        break;
    }
  }
  return options;
}

constinit Options current = defaults();

void write_default(const Description& description, uint64_t value, base::Text& out) {
  // 0 below the smallest legal value: the profile has no use for the option.
  if (value < description.smallest) {
    out << " – |";
  } else {
    out << ' ' << value << " |";
  }
}

void write_words(std::string_view words, base::Text& out) {
  for (const char* separator = " "; !words.empty(); separator = ", ") {
    out << separator << '`' << next_word(words) << '`';
  }
  out << " |";
}

}  // namespace

Options default_options() { return defaults(); }

void parse_options(std::string_view text, Options& options, Complain complain) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(':'), text.size());
    parse_one(text.substr(0, end), options, complain);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void read_options() {
  const char* text = os::environment(kVariable);
  if (text == nullptr || os::is_secure_execution()) return;
  Options parsed = defaults();
  parse_options(text, parsed, os::warn);
  copy_texts(parsed, text_pool);
  current = parsed;
}

const Options& options() { return current; }

void write_option_table(base::Text& out) {
  out << "| key | values | fast | hardened | debug | meaning |\n"
         "|---|---|---|---|---|---|\n";
  for (const Description& description : kDescriptions) {
    out << "| `" << description.key << "` |";
    switch (description.type) {
      case Type::kFlag:
        out << " 0, 1 |";
        break;
      case Type::kNumber:
        out << ' ' << description.smallest << " to " << description.largest << " |";
        break;
      case Type::kText:
        out << " text |";
        break;
      case Type::kChoice:
        write_words(description.default_text, out);
        break;
    }
    if (description.type == Type::kText || description.type == Type::kChoice) {
      std::string_view words = description.default_text;
      const std::string_view text = description.type == Type::kText ? words : next_word(words);
      for (int profile = 0; profile < 3; ++profile) {
        if (text.empty()) {
          out << " none |";
        } else {
          out << " `" << text << "` |";
        }
      }
    } else {
      write_default(description, description.defaults.fast, out);
      write_default(description, description.defaults.hardened, out);
      write_default(description, description.defaults.debug, out);
    }
    out << ' ' << description.help << " |\n";
  }
}

}  // namespace gabion::hardening
