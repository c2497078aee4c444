#include "src/report/describe.h"

#include "src/base/bits.h"

namespace gabion::report {
namespace {

using base::Text;

void append_block(Text& text, const Bug& bug) {
  if (bug.block == nullptr) {
    text << "a block";
    return;
  }
  text << (bug.block->freed ? "a freed " : "a ") << bug.block->size << "-byte block";
}

std::string_view discovery(Found found) {
  switch (found) {
    case Found::kAtCall:
      return "";
    case Found::kOnFree:
      return ", found when it was freed";
    case Found::kOnRealloc:
      return ", found when it was reallocated";
    case Found::kOnEviction:
      return ", found when it left the quarantine";
    case Found::kAtExit:
      return ", found at exit";
    case Found::kOnRequest:
      return ", found by a check that the program asked for";
  }
  return "";
}

void describe_access(Text& text, const Bug& bug, std::string_view where) {
  text << access_name(bug.access);
  if (bug.damage != nullptr) {
    text << " of at least ";
    append_bytes(text, bug.damage->length);
  } else if (bug.access_size != 0) {
    text << " of ";
    append_bytes(text, bug.access_size);
  }
  text << where;
  append_block(text, bug);
  text << discovery(bug.found);
}

void describe_use_after_free(Text& text, const Bug& bug) {
  if (is_release(bug.access)) {
    text << releaser_name(bug.access) << " of ";
    append_block(text, bug);
  } else {
    describe_access(text, bug, " in ");
  }
}

std::string_view region_clause(Region region) {
  switch (region) {
    case Region::kUnknown:
      return " of an address that no allocation returned";
    case Region::kHeapGap:
      return " of an address in the heap where no block is, or none any more";
    case Region::kStack:
      return " of an address on the stack";
    case Region::kGlobal:
      return " of the address of a global or static object";
    case Region::kUnmapped:
      return " of an address where no memory is";
    case Region::kMapping:
      return " of an address in memory that is not the allocator's";
    case Region::kForeignHeap:
      return " of an address in another allocator's heap";
  }
  return "";
}

void describe_bad_free(Text& text, const Bug& bug) {
  text << releaser_name(bug.access);
  if (bug.block == nullptr) {
    text << region_clause(bug.region);
    return;
  }
  const auto offset = static_cast<ptrdiff_t>(bug.address - bug.block->address);
  text << " of an address ";
  append_bytes(text, static_cast<size_t>(offset < 0 ? -offset : offset));
  text << (offset < 0 ? " before " : " inside ");
  append_block(text, bug);
}

void describe_mismatch(Text& text, const Bug& bug) {
  if (bug.mismatch == nullptr) {
    text << releaser_name(bug.access) << " of a block from another family of functions";
    return;
  }
  text << "block from " << allocator_name(bug.mismatch->allocated_with) << " released with "
       << releaser_name(bug.mismatch->released_with);
}

void describe_type_mismatch(Text& text, const Bug& bug) {
  if (bug.mismatch == nullptr) {
    text << releaser_name(bug.access) << " with a wrong size or alignment";
    return;
  }
  const Mismatch& m = *bug.mismatch;
  text << releaser_name(m.released_with) << " was told ";
  if (m.released_alignment != m.allocated_alignment && m.released_size == m.allocated_size) {
    text << "alignment " << m.released_alignment << " for a block with alignment "
         << m.allocated_alignment;
  } else {
    append_bytes(text, m.released_size);
    text << " for a block of ";
    append_bytes(text, m.allocated_size);
  }
}

}  // namespace

std::string_view kind_name(BugKind kind) {
  switch (kind) {
    case BugKind::kHeapBufferOverflow:
      return "heap-buffer-overflow";
    case BugKind::kHeapBufferUnderflow:
      return "heap-buffer-underflow";
    case BugKind::kHeapUseAfterFree:
      return "heap-use-after-free";
    case BugKind::kDoubleFree:
      return "double-free";
    case BugKind::kBadFree:
      return "bad-free";
    case BugKind::kAllocDeallocMismatch:
      return "alloc-dealloc-mismatch";
    case BugKind::kNewDeleteTypeMismatch:
      return "new-delete-type-mismatch";
  }
  return "unknown";
}

std::string_view access_name(AccessKind kind) {
  switch (kind) {
    case AccessKind::kWrite:
      return "write";
    case AccessKind::kRead:
      return "read";
    case AccessKind::kFree:
      return "free";
    case AccessKind::kRealloc:
      return "realloc";
    case AccessKind::kDelete:
      return "delete";
    case AccessKind::kDeleteArray:
      return "delete[]";
    case AccessKind::kFreeSized:
      return "free_sized";
    case AccessKind::kFreeAlignedSized:
      return "free_aligned_sized";
  }
  return "unknown";
}

std::string_view releaser_name(AccessKind kind) {
  switch (kind) {
    case AccessKind::kDelete:
      return "operator delete";
    case AccessKind::kDeleteArray:
      return "operator delete[]";
    default:
      return access_name(kind);
  }
}

std::string_view allocation_name(AllocationKind kind) {
  switch (kind) {
    case AllocationKind::kMalloc:
      return "malloc";
    case AllocationKind::kAligned:
      return "aligned";
    case AllocationKind::kNew:
      return "new";
    case AllocationKind::kNewArray:
      return "new[]";
  }
  return "unknown";
}

std::string_view allocator_name(AllocationKind kind) {
  switch (kind) {
    case AllocationKind::kMalloc:
      return "malloc";
    case AllocationKind::kAligned:
      return "aligned_alloc";
    case AllocationKind::kNew:
      return "operator new";
    case AllocationKind::kNewArray:
      return "operator new[]";
  }
  return "unknown";
}

std::string_view region_name(Region region) {
  switch (region) {
    case Region::kUnknown:
      return "unknown";
    case Region::kHeapGap:
      return "heap gap";
    case Region::kStack:
      return "stack";
    case Region::kGlobal:
      return "global";
    case Region::kUnmapped:
      return "unmapped";
    case Region::kMapping:
      return "mapping";
    case Region::kForeignHeap:
      return "foreign heap";
  }
  return "unknown";
}

std::string_view detection_name(const Bug& bug) {
  switch (bug.found) {
    case Found::kAtCall:
      if (!is_release(bug.access)) return "access";
      return bug.access == AccessKind::kRealloc ? "realloc" : "free";
    case Found::kOnFree:
      return "free";
    case Found::kOnRealloc:
      return "realloc";
    case Found::kOnEviction:
      return "eviction";
    case Found::kAtExit:
      return "exit";
    case Found::kOnRequest:
      return "check";
  }
  return "unknown";
}

bool is_release(AccessKind kind) { return kind != AccessKind::kWrite && kind != AccessKind::kRead; }

void append_bytes(Text& text, size_t n) { text << n << (n == 1 ? " byte" : " bytes"); }

void describe(Text& text, const Bug& bug) {
  switch (bug.kind) {
    case BugKind::kHeapBufferOverflow:
      return describe_access(text, bug, " past the end of ");
    case BugKind::kHeapBufferUnderflow:
      return describe_access(text, bug, " before the start of ");
    case BugKind::kHeapUseAfterFree:
      return describe_use_after_free(text, bug);
    case BugKind::kDoubleFree:
      text << releaser_name(bug.access) << " of ";
      append_block(text, bug);
      return;
    case BugKind::kBadFree:
      return describe_bad_free(text, bug);
    case BugKind::kAllocDeallocMismatch:
      return describe_mismatch(text, bug);
    case BugKind::kNewDeleteTypeMismatch:
      return describe_type_mismatch(text, bug);
  }
}

}  // namespace gabion::report
