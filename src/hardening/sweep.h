// The sweep: a look at every block there is, live or waiting, while the program may go on.
#ifndef GABION_HARDENING_SWEEP_H_
#define GABION_HARDENING_SWEEP_H_

#include "src/report/bug.h"

namespace gabion::hardening {

// Reports damage to blocks that nobody has freed yet, and writes into blocks that wait.
void sweep(report::Found found);

}  // namespace gabion::hardening

#endif  // GABION_HARDENING_SWEEP_H_
