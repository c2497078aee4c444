// A bug as the runtime reported it: the JSON lines format as C++ structures.
#ifndef GABION_CLI_BUG_REPORT_H_
#define GABION_CLI_BUG_REPORT_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace gabion::cli {

// One function at a program counter; inlining puts several there.
struct SourceLocation {
  std::string function;  // demangled; empty when unknown
  uint64_t function_offset = 0;
  std::string file;  // empty when there is no line information
  int line = 0;
  int column = 0;
};

struct Frame {
  uint64_t pc = 0;
  std::string module;   // absolute path, or empty
  uint64_t offset = 0;  // pc as an address of the ELF file
  std::string build_id;
  std::string function;  // what the process itself knew
  bool exact = false;    // pc is the instruction itself, not the one after a call

  std::vector<SourceLocation> locations;  // innermost first; filled by the Symbolizer
};

struct Stack {
  int64_t thread = 0;
  std::vector<Frame> frames;
};

struct Access {
  std::string type;
  uint64_t size = 0;
};

struct Block {
  uint64_t address = 0;
  uint64_t size = 0;
  int64_t offset = 0;
  std::string kind;
  std::string state;
  uint64_t alignment = 0;
};

struct Damage {
  int64_t offset = 0;
  uint64_t length = 0;
  std::string found;     // hexadecimal bytes
  std::string expected;  // the same, or empty
};

struct Mismatch {
  std::string allocated_with;
  std::string released_with;
  std::optional<uint64_t> allocated_size;
  std::optional<uint64_t> released_size;
  std::optional<uint64_t> allocated_alignment;
  std::optional<uint64_t> released_alignment;
};

struct BugReport {
  int64_t pid = 0;
  int64_t thread = 0;
  std::string program;
  std::string kind;
  std::string message;
  std::optional<uint64_t> address;
  std::string detected;
  std::string region;
  std::optional<Access> access;
  std::optional<Block> block;
  std::optional<Damage> damage;
  std::optional<Mismatch> mismatch;
  std::optional<Stack> error_stack;
  std::optional<Stack> free_stack;
  std::optional<Stack> alloc_stack;
  nlohmann::json source;  // the object as it was read

  // The three stacks that are there, in the order in which they are printed.
  std::vector<Stack*> stacks();
  std::vector<const Stack*> stacks() const;
  // Found by looking at memory later (at exit, at eviction): the error stack is where the damage
  // was noticed and says nothing about who did it.
  bool found_late() const;
};

}  // namespace gabion::cli

#endif  // GABION_CLI_BUG_REPORT_H_
