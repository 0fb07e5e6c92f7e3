#include "runner/track/sinks/dvclive.h"

#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/track/sinks/rewritten_file.h"
#include "schema/document/error.h"
#include "schema/document/yaml_text.h"

namespace knead::track {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDvcYaml =
    "params:\n- params.yaml\nmetrics:\n- metrics.json\nplots:\n- plots/metrics:\n    x: step\n";

/// Writes a number as Python's json and csv read it, NaN and infinities too.
std::string python_number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return fmt::format("{}", value);
}

/// Writes a table of one curve, as DVC plots it.
std::unique_ptr<Journal> curve_table(const fs::path& path, const Warn& warn) {
  std::error_code failure;
  fs::create_directories(path.parent_path(), failure);
  if (failure)
    throw Error(fmt::format("cannot make {}: {}", path.parent_path().string(), failure.message()));
  auto table = std::make_unique<Journal>(path, 0, warn);
  table->append_record(fmt::format("step\t{}\n", path.stem().string()));
  return table;
}

class Dvclive final : public Sink {
 public:
  Dvclive(const recipe::DvcliveSink& kind, const About& about, Warn warn)
      : folder_(kind.path.value()),
        warn_(std::move(warn)),
        metrics_(folder_ / "metrics.json", warn_) {
    std::error_code ignored;  // a table that stays is one that nobody names
    fs::remove_all(folder_ / "plots/metrics", ignored);
    RewrittenFile(folder_ / "params.yaml", warn_).write(params_as_yaml(about.hyperparameters));
    RewrittenFile(folder_ / "dvc.yaml", warn_).write(kDvcYaml);
    // Tables are opened before the first step, where a failure can still be told as one of the
    // start.
    for (const ReportField& field : kFixedReportFields) {
      if (!field.is_axis) table("train/" + std::string(field.name));
    }
  }

  bool is_new() const override { return true; }

  void report(const Report& report) override {
    for (const ReportField& field : fields_of(report)) {
      if (field.is_axis) continue;
      const auto add = [&](auto member) {
        note(report.step, "train/" + std::string(field.name), static_cast<double>(report.*member));
      };
      std::visit(add, field.member);
    }
    metrics_.offer([this] { return last_numbers(); });
  }

  void evaluated(const plan::Evaluation& evaluation) override {
    for (const auto& [name, value] : evaluation.values)
      note(evaluation.step, evaluation.set + "/" + name, value);
    metrics_.offer([this] { return last_numbers(); });
  }

  void ended(RunEnd) override { metrics_.write(last_numbers()); }

  void add_positions(Positions&) const override {}

 private:
  Journal& table(const std::string& name) {
    auto& found = tables_[name];
    if (!found) found = curve_table(folder_ / "plots/metrics" / (name + ".tsv"), warn_);
    return *found;
  }

  void note(std::uint64_t step, const std::string& name, double value) {
    table(name).append_record(fmt::format("{}\t{}\n", step, python_number(value)));
    last_[name] = value;
    step_ = std::max(step_, step);
  }

  /// Returns metrics.json: names are SET/METRIC, and a set is an object.
  std::string last_numbers() const {
    std::string text = "{";
    std::string_view open;  // the set whose object is open
    for (const auto& [name, value] : last_) {
      const std::string_view set = std::string_view(name).substr(0, name.find('/'));
      if (set != open) text += fmt::format("{}\n  \"{}\": {{", open.empty() ? "" : "\n  },", set);
      text += fmt::format("{}\n    \"{}\": {}", set != open ? "" : ",",
                          std::string_view(name).substr(set.size() + 1), python_number(value));
      open = set;
    }
    return fmt::format("{}{}\n  \"step\": {}\n}}\n", text, open.empty() ? "" : "\n  },", step_);
  }

  fs::path folder_;
  Warn warn_;
  RewrittenFile metrics_;
  std::map<std::string, std::unique_ptr<Journal>> tables_;
  std::map<std::string, double> last_;  // by SET/METRIC
  std::uint64_t step_ = 0;
};

std::string yaml_scalar(const std::variant<bool, double, std::string>& value) {
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "true" : "false";
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return schema::word_as_yaml(std::get<std::string>(value));
}

}  // namespace

std::string params_as_yaml(const std::vector<Hyperparameter>& hyperparameters) {
  std::string text;
  std::vector<std::string> open;  // the names of the blocks that the last line stands in
  for (const auto& [path, value] : hyperparameters) {
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin <= path.size();) {
      const std::size_t dot = std::min(path.find('.', begin), path.size());
      names.push_back(path.substr(begin, dot - begin));
      begin = dot + 1;
    }
    std::size_t same = 0;
    while (same < open.size() && same + 1 < names.size() && open[same] == names[same]) ++same;
    for (std::size_t i = same; i < names.size(); ++i)
      text += fmt::format("{:{}}{}:{}", "", 2 * i, schema::word_as_yaml(names[i]),
                          i + 1 < names.size() ? "\n" : " " + yaml_scalar(value) + "\n");
    names.pop_back();
    open = std::move(names);
  }
  return text;
}

std::unique_ptr<Sink> make_dvclive(const recipe::DvcliveSink& kind, const About& about, Warn warn) {
  return std::make_unique<Dvclive>(kind, about, std::move(warn));
}

}  // namespace knead::track
