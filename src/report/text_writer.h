// A report for people, in the manner of AddressSanitizer, which they and their tools know.
#ifndef GABION_REPORT_TEXT_WRITER_H_
#define GABION_REPORT_TEXT_WRITER_H_

#include "src/base/text.h"
#include "src/report/bug.h"
#include "src/report/context.h"

namespace gabion::report {

void write_text(base::Text& text, const Bug& bug, const Context& context);

}  // namespace gabion::report

#endif  // GABION_REPORT_TEXT_WRITER_H_
