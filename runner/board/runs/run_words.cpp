#include "runner/board/runs/run_words.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "runner/track/short_text.h"
#include "schema/document/shown_text.h"

namespace knead::board {
namespace {

constexpr std::string_view kUnknown = "-";

}  // namespace

std::string done_in_words(const Glance& run) {
  const std::string step =
      run.reports().empty() ? std::string(kUnknown) : track::grouped(run.step());
  const std::optional<double> share = run.share();
  return share ? fmt::format("{} {:>3.0f}%", step, std::floor(*share * 100)) : step;
}

std::string loss_in_words(const Glance& run) {
  return run.reports().empty() ? std::string(kUnknown)
                               : track::short_number(run.reports().back().loss);
}

std::string best_in_words(const Glance& run) {
  if (!run.best()) return std::string(kUnknown);
  const std::string& metric = run.monitor().metric;
  return schema::shown_text(fmt::format("{} {} at {}", metric.substr(metric.find('/') + 1),
                                        track::short_number(run.best()->value), run.best()->step));
}

std::string rate_in_words(const Glance& run) {
  if (run.reports().empty()) return std::string(kUnknown);
  const double samples = std::max(run.reports().back().samples_per_second, 0.0);
  const double tokens = run.length().tokens_per_sample;
  return tokens > 0 ? track::short_count(samples * tokens) + " tokens/s"
                    : track::short_count(samples) + " samples/s";
}

std::string time_in_words(const Glance& run) {
  if (run.state() != run::RunState::running) {
    if (run.reports().empty()) return std::string(kUnknown);
    return "took " + track::short_duration(std::max(run.reports().back().time, 0.0));
  }
  const std::vector<track::Report>& reports = run.reports();
  if (const auto written = run.written(); written && reports.size() > 1) {
    const std::chrono::duration<double> silent =
        std::filesystem::file_time_type::clock::now() - *written;
    const double usual = reports.back().time - reports[reports.size() - 2].time;
    if (silent.count() > std::max(30.0, 10 * usual))
      return "silent " + track::short_duration(silent.count());
  }
  const std::optional<double> left = run.seconds_left();
  return left ? track::short_duration(*left) + " left" : std::string(kUnknown);
}

}  // namespace knead::board
