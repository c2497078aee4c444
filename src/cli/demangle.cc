#include "src/cli/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <cstring>

namespace gabion::cli {

std::string demangle(const char* symbol) {
  // __cxa_demangle also reads types: "i" would become "int".
  if (std::strncmp(symbol, "_Z", 2) != 0) return symbol;
  int status = 0;
  char* name = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  if (name == nullptr) return symbol;
  std::string result(name);
  std::free(name);
  // Parts that the optimizer split off: "f(int) [clone .cold]".
  if (const size_t clone = result.find(" [clone "); clone != std::string::npos)
    result.resize(clone);
  return result;
}

}  // namespace gabion::cli
