#include "src/report/symbols.h"

#include <gnu/libc-version.h>
#include <gtest/gtest.h>

#include <string>

namespace gabion::report {
namespace {

[[gnu::noinline]] void hidden_function() { asm volatile("nop\nnop\nnop\nnop"); }

TEST(Symbols, NamesAStaticFunctionOfTheProgram) {
  const auto begin = reinterpret_cast<uintptr_t>(&hidden_function);
  const Symbol symbol = symbolize(begin + 2, "/the/program");
  EXPECT_EQ(symbol.module, "/the/program");
  EXPECT_NE(symbol.function.find("hidden_function"), std::string_view::npos) << symbol.function;
  EXPECT_EQ(symbol.function_offset, 2u);
  EXPECT_LT(symbol.offset, begin);
  release_symbol_file();
}

TEST(Symbols, NamesAnExportedFunctionOfALibrary) {
  const auto begin = reinterpret_cast<uintptr_t>(&gnu_get_libc_version);
  for (int i = 0; i < 3; ++i) {
    const Symbol symbol = symbolize(begin + 1, "/the/program");
    EXPECT_NE(symbol.module.find("libc"), std::string_view::npos);
    EXPECT_EQ(symbol.function, "gnu_get_libc_version");
    EXPECT_EQ(symbol.build_id.size(), 20u);
    release_symbol_file();
  }
}

TEST(Symbols, AReturnAddressBelongsToTheCallBeforeIt) {
  // A call that never returns may be the last instruction of its function.
  const auto begin = reinterpret_cast<uintptr_t>(&gnu_get_libc_version);
  EXPECT_NE(symbolize(begin, "").function, "gnu_get_libc_version");
}

TEST(Symbols, KnowsNothingOfOtherAddresses) {
  int local = 0;
  for (const uintptr_t pc :
       {uintptr_t{0}, uintptr_t{1}, reinterpret_cast<uintptr_t>(&local), UINTPTR_MAX}) {
    const Symbol symbol = symbolize(pc, "/the/program");
    EXPECT_TRUE(symbol.module.empty());
    EXPECT_TRUE(symbol.function.empty());
  }
}

}  // namespace
}  // namespace gabion::report
