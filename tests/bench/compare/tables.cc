#include "tests/bench/compare/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace gabion::bench {
namespace {

constexpr const char* kNothing = "–";
constexpr const char* kOurs[] = {"fast", "hardened", "debug"};

using Row = std::vector<std::string>;

bool is_ours(const std::string& allocator) {
  return std::find(std::begin(kOurs), std::end(kOurs), allocator) != std::end(kOurs);
}

// Characters, not bytes.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::string line(const Row& row, const std::vector<std::size_t>& widths) {
  std::string text = "|";
  for (std::size_t c = 0; c < row.size(); ++c) {
    const std::string padding(widths[c] - width(row[c]), ' ');
    text +=
        c == 0 ? fmt::format(" {}{} |", row[c], padding) : fmt::format(" {}{} |", padding, row[c]);
  }
  return text + "\n";
}

std::string markdown(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows[0].size(), 3);
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
  }
  Row rule;
  for (std::size_t c = 0; c < widths.size(); ++c) {
    rule.push_back(std::string(widths[c] - (c != 0), '-') + (c != 0 ? ":" : ""));
  }
  std::string text = line(rows[0], widths) + line(rule, widths);
  for (std::size_t r = 1; r < rows.size(); ++r) text += line(rows[r], widths);
  return text;
}

std::string absolute(Quantity quantity, double value) {
  return quantity != Quantity::kPeakRss ? fmt::format("{:.2f} s", value)
                                        : fmt::format("{:.1f} MiB", value / 1024);
}

std::string cell(const Results& results, Quantity quantity, std::size_t job,
                 std::size_t allocator) {
  const auto ratio = results.ratio(quantity, job, allocator);
  if (!ratio) return kNothing;
  std::string text = allocator == 0 ? absolute(quantity, *results.median_of(quantity, job, 0))
                                    : fmt::format("{:.2f}", *ratio);
  if (quantity != Quantity::kPeakRss) {
    text += fmt::format(" ±{:.0f}%", 100 * *results.spread_of(quantity, job, allocator));
  }
  return text;
}

const char* title(Quantity quantity) {
  switch (quantity) {
    case Quantity::kTime:
      return "time";
    case Quantity::kCpuTime:
      return "CPU time";
    case Quantity::kPeakRss:
      return "peak RSS";
  }
  return "";
}

std::string optional_ratio(std::optional<double> ratio) {
  return ratio ? fmt::format("{:.2f}", *ratio) : kNothing;
}

}  // namespace

std::string ratio_table(const Results& results, Quantity quantity, const std::string& subject) {
  const auto& allocators = results.allocators();
  const auto found = std::find(allocators.begin(), allocators.end(), subject);
  const auto subject_index = static_cast<std::size_t>(found - allocators.begin());
  const bool with_subject = found != allocators.end() && subject_index != 0;

  Row head = {title(quantity)};
  head.insert(head.end(), allocators.begin(), allocators.end());
  if (with_subject) head.push_back(subject + " / best other");
  std::vector<Row> rows = {head};
  for (std::size_t job = 0; job < results.jobs().size(); ++job) {
    if (!results.median_of(quantity, job, 0)) continue;
    Row row = {results.jobs()[job]};
    for (std::size_t a = 0; a < allocators.size(); ++a)
      row.push_back(cell(results, quantity, job, a));
    if (with_subject) {
      const auto own = results.ratio(quantity, job, subject_index);
      const auto best = results.best_ratio(quantity, job, [&](std::size_t a) {
        return a != subject_index && !is_ours(allocators[a]);
      });
      row.push_back(optional_ratio(own && best ? std::optional(*own / *best) : std::nullopt));
    }
    rows.push_back(std::move(row));
  }
  Row mean = {"geometric mean"};
  for (std::size_t a = 0; a < allocators.size(); ++a) {
    mean.push_back(optional_ratio(results.mean_ratio(quantity, a)));
  }
  if (with_subject) mean.push_back("");
  rows.push_back(std::move(mean));
  return markdown(rows);
}

std::string metric_table(const Results& results) {
  Row head = {"measurement"};
  head.insert(head.end(), results.allocators().begin(), results.allocators().end());
  std::vector<Row> rows = {head};
  for (std::size_t job = 0; job < results.jobs().size(); ++job) {
    for (const std::string& name : results.metrics(job)) {
      Row row = {results.jobs()[job] + " " + name};
      for (std::size_t a = 0; a < results.allocators().size(); ++a) {
        const auto value = results.metric(job, a, name);
        row.push_back(!value          ? kNothing
                      : *value < 1000 ? fmt::format("{:.4g}", *value)
                                      : fmt::format("{:.0f}", *value));
      }
      rows.push_back(std::move(row));
    }
  }
  return markdown(rows);
}

}  // namespace gabion::bench
