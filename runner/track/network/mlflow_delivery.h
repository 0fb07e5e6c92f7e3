#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recipe.h"
#include "runner/track/journal_reader.h"
#include "runner/track/network/mlflow_record.h"
#include "runner/track/network/mlflow_server.h"
#include "runner/track/sink.h"

namespace knead::track {

class MlflowTurn;

/// Brings what an MLflow server lacks of a run from the run's journals to it. Nothing is kept but a
/// batch: what cannot be sent now stays in the journals.
///
/// No number is sent twice. Steps of a metric ascend, and the server tells the last one that it
/// has: it is asked at the first batch, and after a batch that may have arrived in part. Steps that
/// a resumed run repeats are skipped so, too.
///
/// Functions throw knead::Error if the server or the disk fails; they can be called again. Used by
/// one thread.
class MlflowDelivery {
 public:
  /// Copies what it needs. Throws knead::Error if the address of the sink cannot be used. `sink` is
  /// resolved.
  MlflowDelivery(const recipe::MlflowSink& sink, const About& about);
  ~MlflowDelivery();

  /// Sends the next batch, after making the run if the server has none. Returns false if the
  /// journals have nothing more now.
  bool send_batch();

  /// Sends the artifacts of the run that the server lacks in their present form: the recipe, the
  /// exports, the report. Returns the number of those that the server stores elsewhere, where this
  /// program cannot put them.
  std::size_t send_artifacts();

  /// Tells the server how the run ended.
  void send_end(RunEnd end);

  /// Ends a call from another thread, by an exception.
  web::Exchange& exchange() { return server_.exchange(); }

 private:
  void begin_run();
  /// Makes the run of a folder at the server, or finds the one that was made before.
  void register_run(const std::filesystem::path& folder, MlflowRecord& record,
                    const std::string& name, std::vector<MlflowText> tags);
  std::vector<MlflowText> tags_of_parent();
  void forget_run();

  void gather();
  void add(const std::string& name, double value, double seconds, std::uint64_t step);
  void send_params();

  std::unique_ptr<MlflowTurn> turn_;  // no other process sends this run
  recipe::MlflowSink sink_;
  About about_;
  MlflowServer server_;
  MlflowRecord record_;
  std::optional<MlflowRun> run_;  // as the server said it when it was asked last
  std::optional<JournalReader<Report>> reports_;
  std::optional<JournalReader<plan::Evaluation>> evaluations_;
  double seconds_ = 0;                 // of training, at the last report that was read
  std::vector<MlflowMetric> pending_;  // read and not acknowledged
};

/// Sends all that a server lacks of a run that has ended, and tries again if it fails, a few times.
/// Returns the number of artifacts that are not sent, because the server stores them elsewhere.
/// Throws knead::Error if the server fails all the time. The calling thread must not take SIGPIPE.
std::size_t deliver_all(const recipe::MlflowSink& sink, const About& about, RunEnd end);

/// Returns the files of a run that are artifacts: names as they are at the server, and paths.
std::vector<std::pair<std::string, std::filesystem::path>> artifacts_of(
    const std::filesystem::path& run_folder);

}  // namespace knead::track
