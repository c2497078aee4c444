#include "tests/bench/compare/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gabion::bench {
namespace {

constexpr double kRow = 22;
constexpr double kTop = 84;
constexpr double kBottom = 16;
constexpr double kLabels = 190;
constexpr double kPanel = 360;
constexpr double kGap = 36;
constexpr double kDot = 5;
constexpr double kWidth = kLabels + 2 * kPanel + kGap + 24;
constexpr double kLegendStep = 100;
// Distinct for readers who do not tell red from green.
constexpr std::array kColours = {"#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                 "#e69f00", "#56b4e9", "#999999", "#7f3c8d"};

const char* colour(std::size_t allocator) { return kColours[allocator % kColours.size()]; }

class Chart {
 public:
  explicit Chart(const Results& results)
      : results_(results),
        height_(kTop + kRow * static_cast<double>(results.jobs().size() + 1) + kBottom) {}

  std::string draw() {
    svg_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" "
        "font-family=\"sans-serif\" "
        "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        kWidth, height_);
    legend();
    labels();
    panel(kLabels, Quantity::kTime, "time, relative to ");
    panel(kLabels + kPanel + kGap, Quantity::kPeakRss, "peak memory, relative to ");
    return svg_ + "</svg>\n";
  }

 private:
  void text(double x, double y, const std::string& anchor, const std::string& content,
            const char* style = "") {
    svg_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" {}>{}</text>\n", x, y,
                        anchor, style, content);
  }
  void vertical(double x, const char* stroke) {
    svg_ += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2:.1f}\" stroke=\"{3}\"/>\n", x,
        kTop - 8, height_ - kBottom, stroke);
  }
  void dot(double x, double y, std::size_t allocator) {
    svg_ += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\" fill-opacity=\"0.85\"/>\n", x, y,
        kDot, colour(allocator));
  }
  double row_y(std::size_t row) const { return kTop + kRow * (static_cast<double>(row) + 0.5); }

  void legend() {
    for (std::size_t a = 1; a < results_.allocators().size(); ++a) {
      const double x = kLabels + kLegendStep * static_cast<double>(a - 1);
      dot(x, 20, a);
      text(x + 10, 24, "start", results_.allocators()[a]);
    }
  }

  void labels() {
    for (std::size_t job = 0; job < results_.jobs().size(); ++job) {
      text(kLabels - 14, row_y(job) + 4, "end", results_.jobs()[job]);
    }
    text(kLabels - 14, row_y(results_.jobs().size()) + 4, "end", "geometric mean",
         "font-weight=\"bold\"");
  }

  // Ratio of row and allocator; the last row is the mean.
  std::optional<double> value(Quantity quantity, std::size_t row, std::size_t allocator) const {
    return row == results_.jobs().size() ? results_.mean_ratio(quantity, allocator)
                                         : results_.ratio(quantity, row, allocator);
  }

  // Whole doublings that all dots fit between.
  std::pair<int, int> range(Quantity quantity) const {
    double low = -1;
    double high = 1;
    for (std::size_t row = 0; row <= results_.jobs().size(); ++row) {
      for (std::size_t a = 1; a < results_.allocators().size(); ++a) {
        if (const auto ratio = value(quantity, row, a)) {
          low = std::min(low, std::floor(std::log2(*ratio)));
          high = std::max(high, std::ceil(std::log2(*ratio)));
        }
      }
    }
    return {static_cast<int>(low), static_cast<int>(high)};
  }

  void panel(double left, Quantity quantity, const std::string& title) {
    const auto [low, high] = range(quantity);
    const auto x_of = [&, first = low, last = high](double exponent) {
      return left + kPanel * (exponent - first) / (last - first);
    };
    text(left, 50, "start", title + results_.allocators()[0] + " (less is better)",
         "font-weight=\"bold\"");
    for (int exponent = low; exponent <= high; ++exponent) {
      vertical(x_of(exponent), exponent == 0 ? "#444444" : "#dddddd");
      text(x_of(exponent), kTop - 14, "middle", fmt::format("{:.3g}", std::exp2(exponent)));
    }
    for (std::size_t row = 0; row <= results_.jobs().size(); ++row) {
      for (std::size_t a = 1; a < results_.allocators().size(); ++a) {
        if (const auto ratio = value(quantity, row, a)) dot(x_of(std::log2(*ratio)), row_y(row), a);
      }
    }
  }

  const Results& results_;
  double height_;
  std::string svg_;
};

}  // namespace

std::string chart(const Results& results) { return Chart(results).draw(); }

}  // namespace gabion::bench
