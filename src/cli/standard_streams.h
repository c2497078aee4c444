// Descriptors 0, 1 and 2 may be closed when the command starts. Left so, the next file it opens
// would become "standard error". They are filled with /dev/null here and closed again in the child,
// which shall find what its caller gave.
#ifndef GABION_CLI_STANDARD_STREAMS_H_
#define GABION_CLI_STANDARD_STREAMS_H_

#include <vector>

namespace gabion::cli {

// Returns the descriptors that were closed.
std::vector<int> fill_closed_standard_streams();

}  // namespace gabion::cli

#endif  // GABION_CLI_STANDARD_STREAMS_H_
