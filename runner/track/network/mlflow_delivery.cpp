#include "runner/track/network/mlflow_delivery.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fmt/format.h>

#include "runner/files/written_file.h"
#include "runner/track/tracker.h"

namespace knead::track {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostMetrics = 1'000;  // of a batch; bodies stay far below MLflow's 1 MB
constexpr std::size_t kMostParams = 100;
constexpr const char* kKeyTag = "knead.key";

std::string param_text(const std::variant<bool, double, std::string>& value) {
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "true" : "false";
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return std::get<std::string>(value);
}

/// Identifies the content of a file that is written anew and not changed.
std::string identity_of(const fs::path& file) {
  std::error_code failure;
  const auto size = fs::file_size(file, failure);
  const auto time = fs::last_write_time(file, failure).time_since_epoch().count();
  return failure ? "" : fmt::format("{} {}", size, time);
}

}  // namespace

/// Holds a lock of a folder among those that tell a server of it: two processes that send the same
/// run, and the trials of a sweep, of which the first makes the run of the sweep.
class MlflowTurn {
 public:
  explicit MlflowTurn(const fs::path& folder)
      : file_(files::open_written_file(folder / ".mlflow.lock", O_RDWR | O_CREAT, 0600)) {
    constexpr int kTries = 50;
    for (int tries = 0; file_ >= 0 && ::flock(file_, LOCK_EX | LOCK_NB) != 0; ++tries) {
      if (tries == kTries) {
        ::close(file_);
        throw Error("MLflow: another process sends " + folder.string());
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
  ~MlflowTurn() {
    if (file_ >= 0) ::close(file_);
  }
  MlflowTurn(const MlflowTurn&) = delete;
  MlflowTurn& operator=(const MlflowTurn&) = delete;

 private:
  int file_;
};

MlflowDelivery::MlflowDelivery(const recipe::MlflowSink& sink, const About& about)
    : sink_(sink), about_(about), server_(sink), record_(read_record(about.folder, sink)) {}

MlflowDelivery::~MlflowDelivery() = default;

void MlflowDelivery::register_run(const fs::path& folder, MlflowRecord& record,
                                  const std::string& name, std::vector<MlflowText> tags) {
  if (!record.run_id.empty()) return;
  write_record(folder, record);  // the key is on the disk before the server can have it
  const std::string experiment = server_.experiment(record.experiment);
  const MlflowText key{kKeyTag, record.key};
  auto id = server_.find_run(experiment, key);
  tags.push_back(key);
  if (!id) id = server_.create_run(experiment, name, record.milliseconds, tags);
  record.run_id = *id;
  write_record(folder, record);
}

/// A sweep is a run of its own, which only groups its trials.
std::vector<MlflowText> MlflowDelivery::tags_of_parent() {
  if (about_.sweep().empty()) return {};
  const fs::path folder = about_.folder.parent_path();
  const MlflowTurn turn(folder);
  MlflowRecord parent = read_record(folder, sink_);
  const bool is_new = parent.run_id.empty();
  register_run(folder, parent, about_.sweep(), {});
  if (is_new) server_.set_status(parent.run_id, "FINISHED", parent.milliseconds);
  return {{"mlflow.parentRunId", parent.run_id}};
}

void MlflowDelivery::begin_run() {
  if (run_) return;
  if (!turn_) turn_ = std::make_unique<MlflowTurn>(about_.folder);
  try {
    if (record_.run_id.empty())
      register_run(about_.folder, record_, sink_.run_name.value(), tags_of_parent());
    run_ = server_.run(record_.run_id);
    if (!reports_) server_.set_status(record_.run_id, "RUNNING", std::nullopt);
  } catch (const MlflowRunIsGone&) {
    forget_run();
    throw;
  }
  // Read again from the beginning: what the server has is left out.
  pending_.clear();
  reports_.emplace(about_.folder / kMetricsFile);
  evaluations_.emplace(about_.folder / kEvaluationsFile);
  send_params();
}

/// The server was set up anew: the run is made once more, with all numbers.
void MlflowDelivery::forget_run() {
  fs::remove(about_.folder / kMlflowFile);
  record_ = read_record(about_.folder, sink_);
  run_.reset();
}

void MlflowDelivery::send_params() {
  std::vector<MlflowText> params;
  for (const auto& [name, value] : about_.hyperparameters) {
    const std::string key = mlflow_key(name);
    if (run_->params.insert(key).second) params.emplace_back(key, param_text(value));
  }
  for (std::size_t i = 0; i < params.size(); i += kMostParams) {
    const auto end =
        params.begin() + static_cast<std::ptrdiff_t>(std::min(i + kMostParams, params.size()));
    server_.log(record_.run_id, {}, {params.begin() + static_cast<std::ptrdiff_t>(i), end});
  }
}

void MlflowDelivery::add(const std::string& name, double value, double seconds,
                         std::uint64_t step) {
  const std::string key = mlflow_key(name);
  const auto [last, is_first] = run_->last.try_emplace(key, step);
  if (!is_first && last->second >= step) return;
  last->second = step;
  pending_.push_back(
      {key, value, record_.milliseconds + static_cast<std::int64_t>(seconds * 1000), step});
}

void MlflowDelivery::gather() {
  while (pending_.size() + kReportFields.size() <= kMostMetrics) {
    const auto report = reports_->next();
    if (!report) break;
    seconds_ = report->time;
    for (const ReportField& field : fields_of(*report)) {
      if (field.is_axis) continue;
      const auto take = [&](auto member) {
        add("train/" + std::string(field.name), static_cast<double>((*report).*member),
            report->time, report->step);
      };
      std::visit(take, field.member);
    }
  }
  // An evaluation of a hundred metrics fits behind any number of reports.
  while (pending_.size() + 100 <= kMostMetrics) {
    const auto evaluation = evaluations_->next();
    if (!evaluation) break;
    for (const auto& [name, value] : evaluation->values)
      add(evaluation->set + "/" + name, value, seconds_, evaluation->step);
  }
}

bool MlflowDelivery::send_batch() {
  try {
    begin_run();
    gather();
    if (pending_.empty()) return false;
    server_.log(record_.run_id, pending_, {});
    pending_.clear();
    return true;
  } catch (const MlflowRunIsGone&) {
    forget_run();
    throw;
  } catch (const Error&) {
    // The server may have a part of the batch: it is asked before the next one.
    run_.reset();
    throw;
  }
}

std::size_t MlflowDelivery::send_artifacts() {
  begin_run();
  std::size_t elsewhere = 0;
  for (const auto& [name, file] : artifacts_of(about_.folder)) {
    const std::string identity = identity_of(file);
    const auto sent = record_.artifacts.find(name);
    if (sent != record_.artifacts.end() && sent->second == identity) continue;
    if (!server_.put(*run_, name, file)) {
      ++elsewhere;
      continue;
    }
    record_.artifacts[name] = identity;
    write_record(about_.folder, record_);
  }
  return elsewhere;
}

void MlflowDelivery::send_end(RunEnd end) {
  begin_run();
  const char* const status = end == RunEnd::finished ? "FINISHED"
                             : end == RunEnd::failed ? "FAILED"
                                                     : "KILLED";
  server_.set_status(record_.run_id, status,
                     record_.milliseconds + static_cast<std::int64_t>(seconds_ * 1000));
}

std::size_t deliver_all(const recipe::MlflowSink& sink, const About& about, RunEnd end) {
  constexpr int kTries = 5;
  MlflowDelivery delivery(sink, about);
  for (int tries = 1;; ++tries) {
    try {
      while (delivery.send_batch()) tries = 1;
      delivery.exchange().limit_time(std::chrono::hours(1));  // weights may be large
      const std::size_t elsewhere = delivery.send_artifacts();
      delivery.send_end(end);
      return elsewhere;
    } catch (const Error&) {
      if (tries == kTries) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(250 << tries));
  }
}

std::vector<std::pair<std::string, fs::path>> artifacts_of(const fs::path& run_folder) {
  std::vector<std::pair<std::string, fs::path>> found;
  const auto add = [&](const std::string& name) {
    std::error_code absent;
    if (fs::is_regular_file(fs::symlink_status(run_folder / name, absent)))
      found.emplace_back(name, run_folder / name);
  };
  for (const char* name : {"recipe.yaml", "resolved.yaml", kGeneratedFile, "report.html"})
    add(name);
  std::error_code absent;
  std::vector<std::string> exports;
  for (const auto& entry : fs::directory_iterator(run_folder / "export", absent))
    exports.push_back("export/" + entry.path().filename().string());
  std::sort(exports.begin(), exports.end());
  for (const std::string& name : exports) add(name);
  return found;
}

}  // namespace knead::track
