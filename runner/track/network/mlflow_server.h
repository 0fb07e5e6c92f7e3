#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "recipe.h"
#include "runner/track/sink.h"
#include "runner/web/exchange.h"
#include "schema/document/error.h"

namespace knead::track {

/// Holds one number for an MLflow server.
struct MlflowMetric {
  std::string key;
  double value = 0;
  std::int64_t milliseconds = 0;  // since 1970
  std::uint64_t step = 0;
};

/// A name and a text, for tags and params.
using MlflowText = std::pair<std::string, std::string>;

/// Describes what a server has of a run.
struct MlflowRun {
  std::string id;
  std::string artifacts;                      // where its artifacts are, as the server says it
  std::map<std::string, std::uint64_t> last;  // the last step of each metric
  std::set<std::string> params;               // their names
};

/// Reports that the server does not know the run any more.
class MlflowRunIsGone : public Error {
 public:
  using Error::Error;
};

/// Calls the REST API 2.0 of an MLflow server. Each function throws knead::Error, with the address
/// of the server and without secrets, if there is no answer within the limits of the exchange, or
/// another one than the API has. Used by one thread, but for exchange().
class MlflowServer {
 public:
  /// Does not connect yet. Throws knead::Error if the address of the sink cannot be used.
  explicit MlflowServer(const recipe::MlflowSink& sink);

  /// Returns the id of an experiment, which is made if the server has none.
  std::string experiment(const std::string& name);

  /// Returns the id of the run with a tag; std::nullopt if the experiment has none.
  std::optional<std::string> find_run(const std::string& experiment, const MlflowText& tag);

  /// Makes a run and returns its id.
  std::string create_run(const std::string& experiment, const std::string& name,
                         std::int64_t milliseconds, const std::vector<MlflowText>& tags);

  /// Returns what the server has of a run. Throws MlflowRunIsGone if it does not know it.
  MlflowRun run(const std::string& id);

  /// Adds numbers (at most 1,000) and params (at most 100) to a run. If this throws, the server may
  /// have some of them.
  void log(const std::string& id, const std::vector<MlflowMetric>& metrics,
           const std::vector<MlflowText>& params);

  /// Sets the status of a run: "RUNNING", or how it ended.
  void set_status(const std::string& id, const std::string& status,
                  std::optional<std::int64_t> milliseconds);

  /// Stores a file as artifact `name` of a run. Returns false if the server stores artifacts
  /// elsewhere: only `mlflow-artifacts:` addresses are its own.
  bool put(const MlflowRun& run, const std::string& name, const std::filesystem::path& file);

  web::Exchange& exchange() { return exchange_; }

 private:
  struct Reply;

  Reply call(const std::string& method, const std::string& path, const std::string& body = "");
  [[noreturn]] void refuse(const std::string& why) const;

  std::string origin_;
  std::string prefix_;  // of each path
  std::vector<std::string> secrets_;
  web::Exchange exchange_;
};

/// Returns a name with `_` for each letter that MLflow does not take in names of metrics and
/// params.
std::string mlflow_key(std::string_view name);

}  // namespace knead::track
