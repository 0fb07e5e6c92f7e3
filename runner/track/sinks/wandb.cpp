#include "runner/track/sinks/wandb.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <random>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/track/sinks/crc.h"
#include "runner/track/sinks/wire.h"
#include "schema/document/error.h"
#include "schema/document/json_text.h"

namespace knead::track {
namespace {

namespace fs = std::filesystem;

// The numbers of fields here and below are those of wandb_internal.proto.
constexpr int kHistory = 2;
constexpr int kSummary = 3;
constexpr int kRun = 17;
constexpr int kExit = 18;

constexpr std::size_t kLogBlock = 32'768;
constexpr std::size_t kFragmentHeader = 7;

std::string small_endian(std::uint32_t value, int size) {
  std::string bytes;
  for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> 8 * i);
  return bytes;
}

/// Writes a number as Python's json does, which W&B reads.
std::string json_number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return fmt::format("{}", value);
}

std::string json_value(const std::variant<bool, double, std::string>& value) {
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "true" : "false";
  if (const auto* number = std::get_if<double>(&value)) return json_number(*number);
  return schema::readable_json_text(std::get<std::string>(value));
}

/// Returns a history, summary or config item: a key and a JSON text.
Wire item(std::string_view key, std::string_view json) {
  return Wire().bytes(1, key).bytes(16, json);
}

/// Names an offline run of W&B: "20260102_030405" and eight characters.
struct WandbName {
  std::string date;
  std::string id;

  std::string folder() const { return fmt::format("offline-run-{}-{}", date, id); }

  /// Returns the time that the name has, in seconds since 1970.
  std::time_t seconds() const {
    std::tm time{};
    const char* const end = ::strptime(date.c_str(), "%Y%m%d_%H%M%S", &time);
    return end && !*end ? ::timegm(&time) : 0;
  }
};

WandbName new_name() {
  constexpr std::string_view kCharacters = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::random_device random;  // two runs must not get the same name, whatever their seeds are
  WandbName name;
  for (int i = 0; i < 8; ++i) name.id += kCharacters[random() % kCharacters.size()];
  const std::time_t now = std::time(nullptr);
  std::tm time{};
  ::gmtime_r(&now, &time);
  char text[32];
  name.date.assign(text, std::strftime(text, sizeof text, "%Y%m%d_%H%M%S", &time));
  return name;
}

/// Returns the name that an earlier start has given, or a new one.
WandbName name_in(const fs::path& folder) {
  constexpr std::string_view kPrefix = "offline-run-";
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(folder, absent)) {
    const std::string found = entry.path().filename().string();
    const std::size_t dash = found.rfind('-');
    if (!found.starts_with(kPrefix) || dash <= kPrefix.size()) continue;
    const WandbName name{found.substr(kPrefix.size(), dash - kPrefix.size()),
                         found.substr(dash + 1)};
    if (name.seconds() > 0 && !name.id.empty()) return name;
  }
  return new_name();
}

fs::path file_of(const fs::path& wandb, const WandbName& name) {
  const fs::path folder = wandb / name.folder();
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) throw Error(fmt::format("cannot make {}: {}", folder.string(), failure.message()));
  const fs::path file = folder / fmt::format("run-{}.wandb", name.id);
  // `wandb sync` writes this mark beside a file, and leaves the file out from then on.
  fs::remove(file.string() + ".synced", failure);
  return file;
}

class Wandb final : public Sink {
 public:
  Wandb(const recipe::WandbSink& kind, const About& about, Warn warn)
      : name_(name_in(about.folder / "wandb")),
        file_(file_of(about.folder / "wandb", name_), 0, std::move(warn)) {
    file_.append_record(log_.header());
    Wire config;
    for (const auto& [key, value] : about.hyperparameters)
      config.message(1, item(key, json_value(value)));
    Wire run = Wire().bytes(1, name_.id);
    if (kind.entity) run.bytes(2, *kind.entity);
    run.bytes(3, kind.project).message(4, config);
    if (!about.sweep().empty()) run.bytes(6, about.sweep());
    run.bytes(8, about.name()).message(17, Wire().integer(1, name_.seconds()));
    write(kRun, run);
  }

  bool is_new() const override { return true; }

  void report(const Report& report) override {
    begin_row(report.step);
    seconds_ = report.time;
    for (const ReportField& field : fields_of(report)) {
      if (field.is_axis) continue;
      const auto add = [&](auto member) {
        row_[fmt::format("train/{}", field.name)] =
            json_number(static_cast<double>(report.*member));
      };
      std::visit(add, field.member);
    }
  }

  void evaluated(const plan::Evaluation& evaluation) override {
    if (evaluation.step > step_ || row_.empty()) begin_row(std::max(evaluation.step, step_));
    for (const auto& [name, value] : evaluation.values)
      row_[evaluation.set + "/" + name] = json_number(value);
    if (evaluation.step < step_) row_[evaluation.set + "/step"] = std::to_string(evaluation.step);
  }

  void generated(const GeneratedText& text) override {
    if (text.step > step_ || row_.empty()) begin_row(std::max(text.step, step_));
    row_[generated_tag(text)] = schema::readable_json_text(text.prompt + text.text);
  }

  void ended(RunEnd end) override {
    write_row();
    Wire summary;
    for (const auto& [name, value] : summary_) summary.message(1, item(name, value));
    write(kSummary, summary);
    // W&B takes a run without an exit for one that was interrupted, as a stopped run is.
    if (end == RunEnd::stopped) return;
    write(kExit, Wire()
                     .integer(1, end == RunEnd::finished ? 0 : 1)
                     .integer(2, static_cast<std::int64_t>(seconds_)));
  }

  void add_positions(Positions&) const override {}

 private:
  void begin_row(std::uint64_t step) {
    if (step != step_) write_row();
    step_ = step;
  }

  void write_row() {
    if (row_.empty()) return;
    Wire history;
    for (const auto& [name, value] : row_) {
      history.message(1, item(name, value));
      summary_[name] = value;
    }
    const double now = static_cast<double>(name_.seconds()) + seconds_;
    history.message(1, item("_step", std::to_string(step_)));
    history.message(1, item("_runtime", json_number(seconds_)));
    history.message(1, item("_timestamp", json_number(now)));
    write(kHistory, history.message(2, Wire().integer(1, static_cast<std::int64_t>(step_))));
    row_.clear();
  }

  void write(int field, const Wire& content) {
    const Wire record = Wire().integer(1, ++records_).message(field, content);
    file_.append_record(log_.record(record.text()));
  }

  WandbName name_;
  WandbLog log_;
  Journal file_;
  std::int64_t records_ = 0;
  std::uint64_t step_ = 0;                  // of the row
  double seconds_ = 0;                      // of training, at the last report
  std::map<std::string, std::string> row_;  // JSON of the step that is not written yet
  std::map<std::string, std::string> summary_;
};

}  // namespace

std::string WandbLog::header() {
  const std::string header("\x3a\x57\x26\x42\xe1\xbe\x00", 7);
  used_ = header.size();
  return header;
}

std::string WandbLog::record(std::string_view data) {
  enum Fragment : char { kFull = 1, kFirst = 2, kMiddle = 3, kLast = 4 };
  std::string bytes;
  bool is_first = true;
  do {
    if (kLogBlock - used_ < kFragmentHeader) {
      bytes.append(kLogBlock - used_, '\0');
      used_ = 0;
    }
    const std::size_t size = std::min(data.size(), kLogBlock - used_ - kFragmentHeader);
    const bool is_last = size == data.size();
    const char type = is_first ? (is_last ? kFull : kFirst) : (is_last ? kLast : kMiddle);
    const std::string typed = type + std::string(data.substr(0, size));
    bytes += small_endian(crc32_ieee(typed), 4) +
             small_endian(static_cast<std::uint32_t>(size), 2) + typed;
    used_ += kFragmentHeader + size;
    data.remove_prefix(size);
    is_first = false;
  } while (!data.empty());
  return bytes;
}

std::unique_ptr<Sink> make_wandb(const recipe::WandbSink& kind, const About& about, Warn warn) {
  return std::make_unique<Wandb>(kind, about, std::move(warn));
}

}  // namespace knead::track
