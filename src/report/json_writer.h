// Reports for programs: one JSON object a line, with the same content as the text.
#ifndef GABION_REPORT_JSON_WRITER_H_
#define GABION_REPORT_JSON_WRITER_H_

#include <cstdint>
#include <string_view>

#include "src/base/text.h"
#include "src/report/bug.h"
#include "src/report/context.h"

namespace gabion::report {

// Changes when a reader of the former version would misunderstand the new one.
inline constexpr int kJsonVersion = 1;

// Each writes one line, with its end.
void write_json_header(base::Text& text, const Context& context, int64_t seconds_since_1970);
void write_json(base::Text& text, const Bug& bug, const Context& context);
void write_json_end(base::Text& text, const Context& context, uint32_t reports);

// In quotes. What is not UTF-8 becomes U+FFFD: file names may hold any bytes, JSON may not.
void write_json_string(base::Text& text, std::string_view value);

}  // namespace gabion::report

#endif  // GABION_REPORT_JSON_WRITER_H_
