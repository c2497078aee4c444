#include "src/base/text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace gabion::base {
namespace {

template <typename... Values>
std::string written(Values... values) {
  FixedText<256> text;
  (text << ... << values);
  return std::string(text.view());
}

TEST(Text, Integers) {
  EXPECT_EQ(written(0, ' ', 7u, ' ', -7, ' ', 1234567890123456789), "0 7 -7 1234567890123456789");
  EXPECT_EQ(written(std::numeric_limits<int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(written(std::numeric_limits<int64_t>::max()), "9223372036854775807");
  EXPECT_EQ(written(std::numeric_limits<uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(written(std::numeric_limits<int8_t>::min(), uint8_t{255}), "-128255");
}

TEST(Text, Hexadecimal) {
  EXPECT_EQ(written(Hex{0}), "0");
  EXPECT_EQ(written(Hex{0xdeadbeef}), "deadbeef");
  EXPECT_EQ(written(Hex{0xa, 4}), "000a");
  EXPECT_EQ(written(Hex{0x12345, 4}), "12345");
  EXPECT_EQ(written(Hex{UINT64_MAX, 16}), "ffffffffffffffff");
  EXPECT_EQ(written(Hex{1, 1000}), std::string(19, '0') + "1");
}

TEST(Text, Pointers) {
  EXPECT_EQ(written(static_cast<const void*>(nullptr)), "0x000000000000");
  EXPECT_EQ(written(reinterpret_cast<const void*>(0x7fff12345678)), "0x7fff12345678");
  EXPECT_EQ(written(reinterpret_cast<const void*>(UINTPTR_MAX)), "0xffffffffffffffff");
}

TEST(Text, WhatDoesNotFitIsCutOffAndRemembered) {
  FixedText<4> text;
  text << "abcd";
  EXPECT_EQ(text.view(), "abcd");
  EXPECT_FALSE(text.truncated());
  text << "";
  EXPECT_FALSE(text.truncated());
  text << 'e';
  EXPECT_TRUE(text.truncated());
  EXPECT_EQ(text.view(), "abcd");
  text.clear();
  EXPECT_FALSE(text.truncated());
  EXPECT_EQ(text.size(), 0u);
  text << 123456;
  EXPECT_EQ(text.view(), "1234");
  EXPECT_TRUE(text.truncated());
}

TEST(Text, ABufferOfNothing) {
  Text text{std::span<char>()};
  text << "x" << 1;
  EXPECT_EQ(text.view(), "");
  EXPECT_TRUE(text.truncated());
}

}  // namespace
}  // namespace gabion::base
