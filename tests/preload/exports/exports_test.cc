// What a library shows to the dynamic linker: its symbols, what it needs, its thread-local storage.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/subprocess.h"
#include "tests/support/workspace.h"

namespace gabion::testing {
namespace {

constexpr unsigned long kMostTls = 64;

std::string tool(const std::vector<std::string>& command) {
  std::vector<std::string> argv = command;
  argv.push_back(profile_under_test().library);
  const Outcome outcome = run({.argv = argv});
  EXPECT_TRUE(outcome.ok()) << outcome.describe();
  return outcome.out;
}

struct Symbol {
  std::string name;  // with its version, if it has one
  std::string address;
  bool weak;
};

std::vector<Symbol> dynamic_symbols(const char* which) {
  std::vector<Symbol> symbols;
  std::istringstream lines(tool({"nm", "-D", "--extern-only", "--format=posix", which}));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string name, type, address;
    fields >> name >> type >> address;
    symbols.push_back({.name = name, .address = address, .weak = type == "w"});
  }
  return symbols;
}

std::set<std::string> listed_symbols() {
  std::set<std::string> symbols;
  std::ifstream file(workspace_file("tests/preload/exports/symbols.txt"));
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') symbols.insert(line);
  }
  return symbols;
}

TEST(Exports, AreTheListedSymbols) {
  std::set<std::string> exported;
  for (const auto& [name, address, weak] : dynamic_symbols("--defined-only")) {
    if (!name.starts_with("gabion_")) exported.insert(name);
  }
  EXPECT_EQ(exported, listed_symbols());
}

TEST(Exports, HaveNoVersion) {
  for (const auto& [name, address, weak] : dynamic_symbols("--defined-only")) {
    EXPECT_EQ(name.find('@'), std::string::npos) << name;
  }
}

// A mismatch is told by the entry point that was called: none may share its code with another.
TEST(Exports, HaveAddressesOfTheirOwn) {
  std::map<std::string, std::string> owners;
  for (const auto& [name, address, weak] : dynamic_symbols("--defined-only")) {
    const bool is_operator = name.starts_with("_Zn") || name.starts_with("_Zd");
    constexpr std::array<const char*, 6> kFunctions = {
        "malloc", "calloc", "realloc", "free", "free_sized", "free_aligned_sized"};
    const bool is_function =
        std::find(kFunctions.begin(), kFunctions.end(), name) != kFunctions.end();
    if (!is_operator && !is_function) continue;
    const auto [owner, own] = owners.emplace(address, name);
    EXPECT_TRUE(own) << name << " is at the address of " << owner->second;
  }
  EXPECT_GE(owners.size(), 26U);
}

// Hooks and marker symbols by which programs would take Gabion for somebody else.
TEST(Exports, PretendNothing) {
  for (const auto& [name, address, weak] : dynamic_symbols("--defined-only")) {
    EXPECT_FALSE(std::regex_search(
        name, std::regex("_hook$|^__(a|hwa|l|m|t|ub)san_|^je_|^mi_|^tc_|^mallctl|^MallocExt")))
        << name;
  }
}

// Weak ones are resolved when the program has a C++ runtime, and are not missed when it has none.
TEST(Imports, AreLibcsOnly) {
  for (const auto& [name, address, weak] : dynamic_symbols("--undefined-only")) {
    if (weak) continue;
    EXPECT_FALSE(std::regex_search(name, std::regex("^_Z|^__cxa_(throw|allocate|begin|end)|"
                                                    "^__gxx_|^_Unwind_|^unw_|^__tls_get_addr")))
        << name;
  }
}

TEST(Dynamic, NeedsLibcOnly) {
  const std::string section = tool({"readelf", "-dW"});
  const std::regex needed(R"(\(NEEDED\).*\[(.*)\])");
  for (std::sregex_iterator match(section.begin(), section.end(), needed), end; match != end;
       ++match) {
    const std::string library = (*match)[1];
    EXPECT_TRUE(library == "libc.so.6" || library.starts_with("ld-linux")) << library;
  }
  EXPECT_EQ(section.find("TEXTREL"), std::string::npos);
}

TEST(Dynamic, IsBoundAtOnceAndNeverUnloaded) {
  const std::string section = tool({"readelf", "-dW"});
  EXPECT_TRUE(std::regex_search(section, std::regex(R"(\(FLAGS_1\).*\bNOW\b)"))) << section;
  EXPECT_TRUE(std::regex_search(section, std::regex(R"(\(FLAGS_1\).*\bNODELETE\b)"))) << section;
  EXPECT_TRUE(std::regex_search(section, std::regex(R"(\(FLAGS\).*\bSTATIC_TLS\b)"))) << section;
}

TEST(Segments, HaveLittleThreadLocalStorage) {
  const std::string segments = tool({"readelf", "-lW"});
  std::smatch match;
  // Type, offset, virtual and physical address, size in the file, size in memory.
  ASSERT_TRUE(
      std::regex_search(segments, match, std::regex(R"(\bTLS( +0x[0-9a-f]+){4} +0x([0-9a-f]+))")))
      << segments;
  EXPECT_LE(std::stoul(match[2], nullptr, 16), kMostTls);
}

TEST(Segments, AreNeverWritableAndExecutable) {
  const std::string segments = tool({"readelf", "-lW"});
  EXPECT_EQ(segments.find("RWE"), std::string::npos);
  EXPECT_NE(segments.find("GNU_RELRO"), std::string::npos);
}

}  // namespace
}  // namespace gabion::testing
