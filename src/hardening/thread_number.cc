#include "src/hardening/thread_number.h"

#include <atomic>

#include "src/os/process.h"

namespace gabion::hardening {
namespace {

constinit std::atomic<uint32_t> last_number{0};
constinit thread_local uint32_t number_plus_one = 0;  // 0: none yet

}  // namespace

uint32_t thread_number() {
  if (number_plus_one == 0) [[unlikely]] {
    const bool is_main = os::thread_id() == os::process_id();
    number_plus_one = is_main ? 1 : last_number.fetch_add(1, std::memory_order_relaxed) + 2;
  }
  return number_plus_one - 1;
}

}  // namespace gabion::hardening
