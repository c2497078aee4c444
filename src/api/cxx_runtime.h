// The program's C++ runtime, libstdc++ or libc++, which Gabion does not link: a C program has none,
// and a program that has one must get exceptions from its own.
#ifndef GABION_API_CXX_RUNTIME_H_
#define GABION_API_CXX_RUNTIME_H_

#include <cstdint>

namespace gabion::api {

using NewHandler = void (*)();

// The handler set by std::set_new_handler, or nullptr. `caller` is an address in the code that
// wants to know: its module may have a runtime that the rest of the program does not see.
NewHandler new_handler(uintptr_t caller);

// Throws the runtime's std::bad_alloc. Without a runtime, one line and abort().
[[noreturn]] void throw_bad_alloc(uintptr_t caller);

}  // namespace gabion::api

#endif  // GABION_API_CXX_RUNTIME_H_
