#ifndef GABION_CLI_DEMANGLE_H_
#define GABION_CLI_DEMANGLE_H_

#include <string>

namespace gabion::cli {

// The C++ name behind a symbol; the symbol itself when it is not one of C++.
std::string demangle(const char* symbol);

}  // namespace gabion::cli

#endif  // GABION_CLI_DEMANGLE_H_
