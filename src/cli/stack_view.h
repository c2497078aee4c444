// Which frames of a stack a reader cares about.
#ifndef GABION_CLI_STACK_VIEW_H_
#define GABION_CLI_STACK_VIEW_H_

#include <span>
#include <string>
#include <vector>

#include "src/cli/bug_report.h"

namespace gabion::cli {

// What is known about a frame: at least one location, if an empty one.
std::span<const SourceLocation> locations_of(const Frame& frame);

// The stack without Gabion's own frames at its top; all of it if there is nothing else.
std::span<const Frame> visible_frames(const Stack& stack);

// A location with the frame it belongs to.
struct Place {
  const Frame* frame;
  const SourceLocation* location;
};

// The places of visible frames that are the program's own: neither of the C or C++ runtime
// libraries nor of the standard library's templates. All of them where nothing else is left.
std::vector<Place> user_places(const Stack& stack);

// The stack that leads to the culprit: the error's, or, where damage was only noticed later, the
// free's or the allocation's. Null when there is none.
const Stack* telling_stack(const BugReport& report);

// The end of the name of a module and an offset in it: "prog+0x1139".
std::string module_and_offset(const Frame& frame);

}  // namespace gabion::cli

#endif  // GABION_CLI_STACK_VIEW_H_
