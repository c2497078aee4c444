#include "src/hardening/violation.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <optional>

#include "src/base/text.h"
#include "src/hardening/memory_dump.h"
#include "src/hardening/options.h"
#include "src/hardening/profile.h"
#include "src/hardening/stacks.h"
#include "src/hardening/thread_number.h"
#include "src/os/fork.h"
#include "src/os/process.h"
#include "src/os/syscall.h"
#include "src/report/describe.h"
#include "src/report/report.h"

namespace gabion::hardening {
namespace {

// The thread that is ending the program, or 0.
constinit std::atomic<pid_t> halting_thread{0};

[[noreturn]] void end_program() {
  if (options().abort_on_error) abort();
  _exit(static_cast<int>(options().exit_code));
}

// One thread passes, the first. Another one waits for it to end the program; the same one has come
// here again from an abort handler, or from a failure of the report itself.
void begin_halting() {
  const pid_t self = os::thread_id();
  pid_t nobody = 0;
  if (halting_thread.compare_exchange_strong(nobody, self)) return;
  if (nobody == self) _exit(static_cast<int>(options().exit_code));
  for (;;) {
    const timespec second{.tv_sec = 1, .tv_nsec = 0};
    os::system_call(SYS_nanosleep, &second, 0);
  }
}

report::Block describe(const BlockRef& ref) {
  return {.address = ref.block(),
          .size = ref.facts.size,
          .alignment = ref.facts.alignment.bytes(),
          .kind = ref.facts.kind,
          .freed = ref.facts.state != State::kLive && ref.facts.state != State::kBusy};
}

report::Stack describe(Event event) {
  const backtrace::Frames frames = stack_of(event);
  return {.known = !frames.empty(), .thread = event.thread, .frames = frames};
}

// Standard error of a production program may be read by whoever attacks it.
bool is_brief() { return !kProfile.backtraces && options().log_path == "stderr"; }

void write_brief(const Violation& violation) {
  base::FixedText<128> line;
  line << "gabion: " << report::kind_name(violation.kind) << " detected\n";
  os::write_all(STDERR_FILENO, line.view());
}

void submit(const Violation& violation) {
  report::Bug bug;
  bug.kind = violation.kind;
  bug.found = violation.found;
  bug.address = violation.address;
  bug.access = violation.access;
  bug.mismatch = violation.mismatch;
  bug.region = violation.region;

  std::optional<CapturedStack> here;
  if (violation.site != nullptr) {
    here.emplace(*violation.site);
    bug.error = {.known = true, .thread = thread_number(), .frames = here->frames()};
  }
  report::Block block;
  report::Damage damage;
  std::optional<MemoryDump> dump;
  if (violation.block != nullptr) {
    const BlockRef& ref = *violation.block;
    block = describe(ref);
    bug.block = &block;
    bug.alloc = describe(ref.record->allocated());
    if (block.freed) bug.free = describe(ref.record->freed());
    if (!violation.damage.empty()) {
      dump.emplace(ref, violation.damage);
      damage = dump->describe(ref);
      bug.damage = &damage;
      bug.access_size = violation.damage.size();
    }
  }
  report::submit(bug);
}

}  // namespace

void report_violation(const Violation& violation) {
  const int saved_errno = errno;
  const bool halts = options().halt_on_error;
  if (halts) begin_halting();
  if (is_brief()) write_brief(violation);
  submit(violation);
  if (halts) end_program();
  errno = saved_errno;
}

void start_reporting() {
  report::Settings settings;
  settings.profile = kProfile.name;
  settings.log_path = is_brief() ? "none" : options().log_path;
  settings.log_dir = options().log_dir;
  settings.halts = options().halt_on_error;
  settings.exit_code = static_cast<int>(options().exit_code);
  report::start(settings);
  os::register_fork_child([] { halting_thread.store(0, std::memory_order_relaxed); });
}

}  // namespace gabion::hardening
