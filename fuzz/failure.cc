#include "fuzz/failure.h"

#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace gabion::fuzz {
namespace {

int current_step = 0;
const char* current_operation = "start";

std::size_t written(int result, std::size_t room) {
  return result < 0 ? 0 : std::min(static_cast<std::size_t>(result), room - 1);
}

}  // namespace

void set_step(int step, const char* operation) {
  current_step = step;
  current_operation = operation;
}

void fail(const char* format, ...) {
  char line[512];
  std::size_t length =
      written(std::snprintf(line, sizeof line, "gabion fuzz: step %d (%s): ", current_step,
                            current_operation),
              sizeof line);
  std::va_list arguments;
  va_start(arguments, format);
  length += written(std::vsnprintf(line + length, sizeof line - length, format, arguments),
                    sizeof line - length);
  va_end(arguments);
  line[length] = '\n';
  if (write(STDERR_FILENO, line, length + 1) < 0) _exit(1);
  std::abort();
}

}  // namespace gabion::fuzz
