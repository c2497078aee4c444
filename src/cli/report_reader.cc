#include "src/cli/report_reader.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "src/cli/error.h"
#include "src/cli/exit_status.h"
#include "src/cli/file.h"

namespace gabion::cli {
namespace {

using nlohmann::json;

const json& member(const json& object, const char* key) {
  static const json kNothing;
  if (!object.is_object()) return kNothing;
  const auto found = object.find(key);
  return found == object.end() ? kNothing : *found;
}

std::string text(const json& object, const char* key) {
  const json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

int64_t integer(const json& object, const char* key) {
  const json& value = member(object, key);
  return value.is_number() ? value.get<int64_t>() : 0;
}

std::optional<uint64_t> hex(const json& object, const char* key) {
  const json& value = member(object, key);
  if (value.is_number_unsigned()) return value.get<uint64_t>();
  if (!value.is_string()) return std::nullopt;
  std::string_view digits = value.get_ref<const std::string&>();
  if (digits.starts_with("0x")) digits.remove_prefix(2);
  uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

std::optional<uint64_t> size(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_number() ||
      (value.is_number_integer() && value.get<int64_t>() < 0 && !value.is_number_unsigned())) {
    return std::nullopt;
  }
  return value.get<uint64_t>();
}

std::optional<Stack> parse_stack(const json& object) {
  const json& frames = member(object, "frames");
  if (!frames.is_array()) return std::nullopt;
  Stack stack;
  stack.thread = integer(object, "thread");
  for (const json& entry : frames) {
    Frame frame;
    frame.pc = hex(entry, "pc").value_or(0);
    frame.module = text(entry, "module");
    frame.offset = hex(entry, "offset").value_or(0);
    frame.build_id = text(entry, "build_id");
    frame.function = text(entry, "function");
    const json& exact = member(entry, "exact");
    frame.exact = exact.is_boolean() && exact.get<bool>();
    stack.frames.push_back(std::move(frame));
  }
  return stack;
}

std::optional<Block> parse_block(const json& object) {
  if (!object.is_object()) return std::nullopt;
  return Block{hex(object, "address").value_or(0),
               size(object, "size").value_or(0),
               integer(object, "offset"),
               text(object, "kind"),
               text(object, "state"),
               size(object, "alignment").value_or(0)};
}

std::optional<Damage> parse_damage(const json& object) {
  if (!object.is_object()) return std::nullopt;
  return Damage{integer(object, "offset"), size(object, "length").value_or(0),
                text(object, "found"), text(object, "expected")};
}

std::optional<Mismatch> parse_mismatch(const json& object) {
  if (!object.is_object()) return std::nullopt;
  return Mismatch{text(object, "allocated_with"),      text(object, "released_with"),
                  size(object, "allocated_size"),      size(object, "released_size"),
                  size(object, "allocated_alignment"), size(object, "released_alignment")};
}

// Strings in a report may hold bytes of file names that are no UTF-8. Each byte that does not
// belong becomes a question mark, so that the rest of the line is not lost with it.
std::string with_valid_utf8(std::string_view line) {
  std::string clean;
  for (size_t i = 0; i < line.size();) {
    const auto lead = static_cast<unsigned char>(line[i]);
    const size_t length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    std::string_view character = line.substr(i, length);
    const bool valid = json::accept('"' + std::string(character) + '"') || lead < 0x80;
    if (valid) {
      clean += character;
      i += length;
    } else {
      clean += '?';
      ++i;
    }
  }
  return clean;
}

json parse_line(const std::string& line) {
  json object = json::parse(line, nullptr, false);
  if (object.is_discarded()) object = json::parse(with_valid_utf8(line), nullptr, false);
  return object;
}

// getline of stdio: streams cannot be opened from a descriptor.
class LineFile {
 public:
  explicit LineFile(int fd) : file_(fdopen(fd, "r")) {}
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;
  ~LineFile() {
    std::free(buffer_);
    if (file_ != nullptr) std::fclose(file_);
  }

  bool next(std::string& line) {
    const ssize_t length = file_ == nullptr ? -1 : getline(&buffer_, &capacity_, file_);
    if (length < 0) return false;
    line.assign(buffer_, static_cast<size_t>(length));
    if (line.ends_with('\n')) line.pop_back();
    return true;
  }

 private:
  std::FILE* file_;
  char* buffer_ = nullptr;
  size_t capacity_ = 0;
};

}  // namespace

BugReport parse_report(json object) {
  BugReport report;
  report.pid = integer(object, "pid");
  report.thread = integer(object, "thread");
  report.program = text(object, "program");
  report.kind = text(object, "kind");
  report.message = text(object, "message");
  report.address = hex(object, "address");
  report.detected = text(object, "detected");
  report.region = text(object, "region");
  if (const json& access = member(object, "access"); access.is_object()) {
    report.access = Access{text(access, "type"), size(access, "size").value_or(0)};
  }
  report.block = parse_block(member(object, "block"));
  report.damage = parse_damage(member(object, "damage"));
  report.mismatch = parse_mismatch(member(object, "mismatch"));
  const json& stacks = member(object, "stacks");
  report.error_stack = parse_stack(member(stacks, "error"));
  report.free_stack = parse_stack(member(stacks, "free"));
  report.alloc_stack = parse_stack(member(stacks, "alloc"));
  if (report.kind.empty()) report.kind = "unknown-error";
  // A fault's innermost frame is the faulting instruction. A check made inside a call (of memcpy,
  // say) has frames of the library above the program's, and those are return addresses.
  if (report.detected == "access" && report.error_stack && !report.error_stack->frames.empty()) {
    Frame& innermost = report.error_stack->frames.front();
    if (!base_name(innermost.module).starts_with("libgabion")) innermost.exact = true;
  }
  report.source = std::move(object);
  return report;
}

ReadSummary read_reports(const LineSource& next_line, const ReportSink& sink) {
  ReadSummary summary;
  for (std::string line; next_line(line);) {
    if (line.empty()) continue;
    json object = parse_line(line);
    const std::string type = text(object, "type");
    if (integer(object, "version") > kFormatVersion) summary.newer_format = true;
    if (type == "report") {
      ++summary.reports;
      sink(parse_report(std::move(object)));
    } else if (!object.is_object() || type.empty()) {
      ++summary.unreadable_lines;
      if (line.find(R"("type":"report")") != std::string::npos) ++summary.damaged_reports;
    }
  }
  return summary;
}

ReadSummary read_report_file(const std::string& path, const ReportSink& sink) {
  FileDescriptor file = open_regular_file(path, /*follow=*/false);
  if (!file) {
    throw Error(kOwnFailure, fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  }
  LineFile lines(file.release());
  const auto next_line = [&](std::string& line) { return lines.next(line); };
  const ReadSummary summary = read_reports(next_line, sink);
  if (summary.unreadable_lines != 0) {
    warn(fmt::format("{}: {} damaged line{} left out{}", path, summary.unreadable_lines,
                     summary.unreadable_lines == 1 ? "" : "s",
                     summary.damaged_reports == 0
                         ? ""
                         : fmt::format(", {} of them bug reports", summary.damaged_reports)));
  }
  if (summary.newer_format) {
    warn(fmt::format("{}: written by a newer Gabion; parts may be missing", path));
  }
  return summary;
}

}  // namespace gabion::cli
