// The words for a bug: the names of its kind and parts, and one plain sentence about what happened.
#ifndef GABION_REPORT_DESCRIBE_H_
#define GABION_REPORT_DESCRIBE_H_

#include <string_view>

#include "src/base/text.h"
#include "src/report/bug.h"

namespace gabion::report {

std::string_view kind_name(BugKind kind);               // "double-free"
std::string_view access_name(AccessKind kind);          // "delete[]"
std::string_view releaser_name(AccessKind kind);        // "operator delete[]"
std::string_view allocation_name(AllocationKind kind);  // "new[]"
std::string_view allocator_name(AllocationKind kind);   // "operator new[]"
std::string_view region_name(Region region);
std::string_view detection_name(const Bug& bug);  // "free", "eviction", …

// Whether the program handed the block to the allocator, rather than read or wrote it.
bool is_release(AccessKind kind);

// "1 byte", "2 bytes".
void append_bytes(base::Text& text, size_t n);

// "write of at least 1 byte past the end of a 10-byte block, found when it was freed"
void describe(base::Text& text, const Bug& bug);

}  // namespace gabion::report

#endif  // GABION_REPORT_DESCRIBE_H_
