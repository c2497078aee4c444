// A copy of the memory around damage, with what should have been there.
#ifndef GABION_HARDENING_MEMORY_DUMP_H_
#define GABION_HARDENING_MEMORY_DUMP_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "src/hardening/block_ref.h"
#include "src/report/bug.h"

namespace gabion::hardening {

class MemoryDump {
 public:
  // Rows of 16 bytes around the beginning of `damage`, all within the slots that it touches.
  MemoryDump(const BlockRef& block, ByteRange damage);

  // Refers to this object.
  report::Damage describe(const BlockRef& block) const;

 private:
  static constexpr size_t kRow = 16;
  static constexpr size_t kRowsBefore = 2;
  static constexpr size_t kSize = 6 * kRow;

  void expect(const BlockRef& ref);
  void expect_canary(ByteRange canary);

  ByteRange damage_;
  ByteRange window_;
  std::array<uint8_t, kSize> found_;
  std::array<uint8_t, kSize> expected_ = {};
  std::array<uint8_t, kSize> checked_ = {};
};

}  // namespace gabion::hardening

#endif  // GABION_HARDENING_MEMORY_DUMP_H_
