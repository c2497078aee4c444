// For a program that Gabion is linked into; a shared library may not have this section.
//
// A constructor of the program itself runs when the loader's exit handler is registered already, so
// libraries would be finalised after our exit checks. The functions in .preinit_array run before
// the constructors of all libraries.

#include "src/api/library.h"

namespace gabion::api {
namespace {

using Starter = void (*)();
[[gnu::section(".preinit_array"), gnu::used]] const Starter kStart = start_library;

}  // namespace
}  // namespace gabion::api
