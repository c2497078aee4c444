// The library's own beginning and end.
#ifndef GABION_API_LIBRARY_H_
#define GABION_API_LIBRARY_H_

namespace gabion::api {

// Starts the layers below and sees to it that their exit checks run; a second call does nothing.
// Allocation works before this, from the first instruction of the process on.
void start_library();

}  // namespace gabion::api

#endif  // GABION_API_LIBRARY_H_
