// Where the runtime library of a profile is.
#ifndef GABION_CLI_LIBRARY_LOCATOR_H_
#define GABION_CLI_LIBRARY_LOCATOR_H_

#include <string>
#include <string_view>
#include <vector>

namespace gabion::cli {

enum class Profile { kFast, kHardened, kDebug };

std::string_view library_name(Profile profile);

// The folders to look in, best first: the command's own (as the kernel knows it and, where it was
// started through a symbolic link, as it was named), then the libraries of an install prefix.
std::vector<std::string> library_directories();

// Absolute path of the library. Throws Error (125) with the places that were tried.
std::string locate_library(Profile profile, const std::vector<std::string>& directories);

}  // namespace gabion::cli

#endif  // GABION_CLI_LIBRARY_LOCATOR_H_
