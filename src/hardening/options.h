// What GABION_OPTIONS="key=value:key=value" can say: one list, from which the fields, the parser
// and the table in docs/options.md are made.
#ifndef GABION_HARDENING_OPTIONS_H_
#define GABION_HARDENING_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "src/base/text.h"

namespace gabion::hardening {

// FLAG(key, default in fast, hardened, debug, help)
// NUMBER(key, default in fast, hardened, debug, smallest, largest, help)
// TEXT(key, default in all profiles, help)
// CHOICE(key, words, help): the value is the place of the word; the first is the default
//
// Every profile knows every key, so that one setting serves all; a profile ignores what it has
// nothing for.
#define GABION_OPTION_LIST(FLAG, NUMBER, TEXT, CHOICE)                                            \
  FLAG(halt_on_error, 1, 1, 1,                                                                    \
       "End the program at the first report; with 0 it goes on, and still ends with `exit_code`") \
  FLAG(abort_on_error, 1, 1, 0, "End by abort() (a core dump), not by _exit(`exit_code`)")        \
  NUMBER(exit_code, 86, 86, 86, 3, 125,                                                           \
         "Exit status after a report; 77 and 99 are refused, test runners give them a meaning")   \
  TEXT(log_path, "stderr",                                                                        \
       "Where text reports go: `stderr`, `none`, or a file; %p is the process, %n the program, "  \
       "%t the time")                                                                             \
  TEXT(log_dir, "", "Directory for reports as JSON lines, one file a process")                    \
  NUMBER(stack_depth, 0, 32, 32, 1, 64, "Frames kept of each stack")                              \
  CHOICE(unwinder, "auto|tables|libunwind|frames",                                                \
         "What stacks are followed by; `auto` is the first of the others that works here")        \
  NUMBER(depot_mib, 0, 0, 64, 1, 4096, "Most memory for stacks, in MiB")                          \
  NUMBER(quarantine_mib, 0, 1, 64, 0, 1048576,                                                    \
         "Most memory that waits in quarantine, its overhead counted, in MiB")                    \
  NUMBER(quarantine_blocks, 0, 16384, 262144, 0, 67108864, "Most blocks that wait in quarantine") \
  NUMBER(fill_bytes, 0, 0, 4096, 0, 1099511627776,                                                \
         "Bytes of a fresh block that are filled with 0xbe")                                      \
  FLAG(mismatch, 0, 1, 1, "Report a release that does not fit the allocation: form or size")      \
  FLAG(bad_free, 0, 1, 1, "Report the release of a pointer that is not ours; 0 ignores it")       \
  FLAG(check_exit, 0, 0, 1, "Check all live and waiting blocks when the program exits")           \
  NUMBER(decay_ms, 1000, 1000, 1000, 0, 4294967295,                                               \
         "Milliseconds until unused memory is given back; 4294967295 is never")

inline constexpr size_t kMaxOptionText = 1024;  // of one text value

struct Options {
#define GABION_FLAG(key, ...) bool key = false;
#define GABION_NUMBER(key, ...) uint64_t key = 0;
#define GABION_TEXT(key, ...) std::string_view key;
#define GABION_CHOICE(key, ...) uint64_t key = 0;
  GABION_OPTION_LIST(GABION_FLAG, GABION_NUMBER, GABION_TEXT, GABION_CHOICE)
#undef GABION_FLAG
#undef GABION_NUMBER
#undef GABION_TEXT
#undef GABION_CHOICE
};

// The defaults of this profile.
Options default_options();

// Told about everything in the text that is not understood, one line each.
using Complain = void (*)(std::string_view line);

// Applies `text` to `options`. Text values are views into `text`.
void parse_options(std::string_view text, Options& options, Complain complain);

// Reads GABION_OPTIONS once, copying what it keeps; the first call is made by one thread alone.
// Programs with raised privileges get the defaults.
void read_options();

// The options in force: the defaults until read_options().
const Options& options();

// The list as a Markdown table; docs/options.md contains it word for word.
void write_option_table(base::Text& out);

}  // namespace gabion::hardening

#endif  // GABION_HARDENING_OPTIONS_H_
