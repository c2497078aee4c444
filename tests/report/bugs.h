// Bugs made up for tests of the writers, with addresses that do not change.

#ifndef GABION_TESTS_REPORT_BUGS_H_
#define GABION_TESTS_REPORT_BUGS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "src/report/bug.h"
#include "src/report/context.h"

namespace gabion::report {

// A one-byte overflow of a 10-byte block, found when thread 1 freed it.
struct Overflow {
  std::array<uintptr_t, 2> error_frames = {0x401139, 0x401200};
  std::array<uintptr_t, 1> alloc_frames = {0x401050};
  std::array<uint8_t, 16> dump = {'0', '1', '2',  '3',  '4',  '5',  '6',  '7',
                                  '8', '9', 0x41, 0xd3, 0xd3, 0xd3, 0xd3, 0xd3};
  std::array<uint8_t, 16> expected = {0, 0, 0,    0,    0,    0,    0,    0,
                                      0, 0, 0xd3, 0xd3, 0xd3, 0xd3, 0xd3, 0xd3};
  std::array<uint8_t, 16> checked = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
  Block block{.address = 0x7f0000001000, .size = 10};
  Damage damage{.offset = 10,
                .length = 1,
                .dump_address = 0x7f0000001000,
                .dump = dump,
                .expected = expected,
                .checked = checked};
  Bug bug{.kind = BugKind::kHeapBufferOverflow,
          .found = Found::kOnFree,
          .address = 0x7f000000100a,
          .access = AccessKind::kWrite,
          .access_size = 0,
          .block = &block,
          .damage = &damage,
          .mismatch = nullptr,
          .region = Region::kUnknown,
          .error = {.known = true, .thread = 1, .frames = error_frames},
          .free = {},
          .alloc = {.known = true, .thread = 0, .frames = alloc_frames}};

  Overflow() = default;
  Overflow(const Overflow&) = delete;
  Overflow& operator=(const Overflow&) = delete;
};

// Knows every address: module /opt/app, loaded at 0x400000.
inline Symbol fake_symbolize(uintptr_t pc, std::string_view) {
  static constexpr uint8_t kBuildId[] = {0xab, 0xcd, 0x01};
  return {.module = "/opt/app",
          .offset = pc - 0x400000,
          .build_id = kBuildId,
          .function = pc < 0x401100 ? "make" : "main",
          .function_offset = pc & 0xff};
}

inline Context fake_context(const ProcessFacts& facts) {
  return {.facts = facts,
          .pid = 123,
          .ppid = 100,
          .tid = 124,
          .profile = "debug",
          .halts = true,
          .symbolize = fake_symbolize};
}

}  // namespace gabion::report

#endif  // GABION_TESTS_REPORT_BUGS_H_
