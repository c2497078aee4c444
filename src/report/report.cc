#include "src/report/report.h"

#include <errno.h>
#include <unistd.h>

#include <atomic>
#include <span>

#include "src/base/text.h"
#include "src/os/fork.h"
#include "src/os/mutex.h"
#include "src/os/process.h"
#include "src/os/syscall.h"
#include "src/report/context.h"
#include "src/report/fault_guard.h"
#include "src/report/files.h"
#include "src/report/json_writer.h"
#include "src/report/process_facts.h"
#include "src/report/symbols.h"
#include "src/report/text_writer.h"

namespace gabion::report {
namespace {

constexpr size_t kBufferSize = size_t{256} << 10;
constexpr size_t kMaxPath = 4096;

// A copy of text that belongs to somebody else.
template <size_t N>
struct Copy {
  char bytes[N] = {};
  size_t size = 0;

  bool set(std::string_view from) {
    base::Text text{std::span<char>(bytes)};
    text << from;
    size = text.size();
    return !text.truncated();
  }
  std::string_view view() const { return {bytes, size}; }
};

struct State {
  Copy<16> profile;
  Copy<1024> log_path, log_dir;
  bool halts = true;
  int exit_code = 86;
  ProcessFacts facts;

  // Under the lock.
  pid_t json_owner = 0;  // the process whose file has its header
  bool warned_of_text = false, warned_of_json = false;
  char path[kMaxPath] = {};
  char buffer[kBufferSize] = {};
};

constinit State state;
constinit os::Mutex mutex{os::LockRank::kReport};
constinit std::atomic<pid_t> reporting_thread{0};
constinit std::atomic<uint32_t> reports{0};

void forget_parent() {
  reports.store(0, std::memory_order_relaxed);
  reporting_thread.store(0, std::memory_order_relaxed);
}

Context make_context() {
  return {.facts = state.facts,
          .pid = os::process_id(),
          .ppid = static_cast<pid_t>(os::system_call(SYS_getppid).raw),
          .tid = os::thread_id(),
          .profile = state.profile.view(),
          .halts = state.halts};
}

// Fills the buffer; with ever fewer frames, should the report not fit.
template <typename Write>
std::string_view render(Context context, Write write) {
  while (true) {
    base::Text text{std::span<char>(state.buffer)};
    write(text, context);
    if (!text.truncated() || context.max_frames == 1) return text.view();
    context.max_frames /= 2;
  }
}

// Stacks may be small, so the name of a file is made in the state.
base::Text path_text() { return base::Text{std::span<char>(state.path)}; }

void warn_once(bool& warned, std::string_view place, int error) {
  if (warned) return;
  warned = true;
  base::FixedText<400> line;
  line << "cannot write reports (errno " << error << "), they go to standard error: " << place;
  os::warn(line.view());
}

// False: the text has not reached its place.
bool write_text_to_file(std::string_view text, pid_t pid) {
  static int64_t first_report = 0;  // so that one process keeps to one file
  if (first_report == 0) first_report = seconds_since_1970();
  base::Text path = path_text();
  const bool fits = expand_file_name(path, state.log_path.view(), state.facts, pid, first_report);
  const int error = fits ? append_to_file(state.path, text, Links::kFollow) : ENAMETOOLONG;
  if (error != 0) warn_once(state.warned_of_text, state.log_path.view(), error);
  return error == 0;
}

int append_json(const Bug& bug, const Context& context) {
  base::Text path = path_text();
  if (!json_file_name(path, state.log_dir.view(), state.facts, context.pid)) return ENAMETOOLONG;
  if (state.json_owner != context.pid) {
    const std::string_view header = render(context, [](base::Text& text, const Context& c) {
      write_json_header(text, c, seconds_since_1970());
    });
    const int error = append_to_file(state.path, header, Links::kRefuse);
    if (error != 0) return error;
    state.json_owner = context.pid;
  }
  const std::string_view record =
      render(context, [&bug](base::Text& text, const Context& c) { write_json(text, bug, c); });
  return append_to_file(state.path, record, Links::kRefuse);
}

// False: the JSON could not be written, and the text has to serve.
bool write_json_to_file(const Bug& bug, const Context& context) {
  const int error = append_json(bug, context);
  if (error != 0) warn_once(state.warned_of_json, state.log_dir.view(), error);
  return error == 0;
}

void write_report(const Bug& bug) {
  const Context context = make_context();
  const bool json_failed = state.log_dir.size != 0 && !write_json_to_file(bug, context);
  const std::string_view place = state.log_path.size == 0 ? "stderr" : state.log_path.view();
  if (place == "none" && !json_failed) return;
  const std::string_view text =
      render(context, [&bug](base::Text& t, const Context& c) { write_text(t, bug, c); });
  const bool to_file = place != "stderr" && place != "none";
  if (to_file && write_text_to_file(text, context.pid)) return;
  os::write_all(STDERR_FILENO, text);
}

}  // namespace

void start(const Settings& settings) {
  state.profile.set(settings.profile);
  state.halts = settings.halts;
  state.exit_code = settings.exit_code;
  state.facts.read();
  if (!state.log_path.set(settings.log_path)) {
    state.log_path.set("stderr");
    os::warn("log_path is too long: reports go to standard error");
  }
  if (!state.log_dir.set(settings.log_dir)) {
    state.log_dir.set("");
    os::warn("log_dir is too long and is ignored");
  }
  os::register_fork_lock(mutex);
  os::register_fork_child(forget_parent);
}

void submit(const Bug& bug) {
  const pid_t tid = os::thread_id();
  if (reporting_thread.load(std::memory_order_relaxed) == tid) fail_inside_report(state.exit_code);
  os::MutexLock lock(mutex);
  reporting_thread.store(tid, std::memory_order_relaxed);
  reports.fetch_add(1, std::memory_order_relaxed);
  {
    FaultGuard guard(state.exit_code);
    write_report(bug);
    release_symbol_file();
  }
  reporting_thread.store(0, std::memory_order_relaxed);
}

uint32_t count() { return reports.load(std::memory_order_relaxed); }

void finish() {
  os::MutexLock lock(mutex);
  const Context context = make_context();
  if (state.json_owner != context.pid) return;
  base::Text path = path_text();
  if (!json_file_name(path, state.log_dir.view(), state.facts, context.pid)) return;
  const std::string_view end =
      render(context, [](base::Text& text, const Context& c) { write_json_end(text, c, count()); });
  append_to_file(state.path, end, Links::kRefuse);
}

}  // namespace gabion::report
