#include "runner/track/sinks/file_sinks.h"


#include "runner/track/replay.h"
#include "runner/track/sinks/csv_sink.h"
#include "runner/track/sinks/dvclive.h"
#include "runner/track/sinks/prometheus.h"
#include "runner/track/sinks/tensorboard.h"
#include "runner/track/sinks/wandb.h"
#include "runner/track/spool.h"
#include "schema/document/error.h"

namespace knead::track {
namespace {

/// Makes the sink of each kind, and says what it is called in warnings.
struct MakeFileSink {
  const About& about;
  const Positions& positions;
  const Warn& warn;

  std::unique_ptr<Spool> operator()(const recipe::TensorBoardSink&) const {
    return spooled("TensorBoard", [&](const Warn& own) { return make_tensorboard(about, own); });
  }
  std::unique_ptr<Spool> operator()(const recipe::CsvSink&) const {
    return spooled(kCsvFile, [&](const Warn& own) { return make_csv_sink(about, positions, own); });
  }
  std::unique_ptr<Spool> operator()(const recipe::WandbSink& kind) const {
    return spooled("W&B", [&](const Warn& own) { return make_wandb(kind, about, own); });
  }
  std::unique_ptr<Spool> operator()(const recipe::DvcliveSink& kind) const {
    return spooled("DVCLive", [&](const Warn& own) { return make_dvclive(kind, about, own); });
  }
  std::unique_ptr<Spool> operator()(const recipe::PrometheusSink& kind) const {
    return spooled("Prometheus",
                   [&](const Warn& own) { return make_prometheus(kind, about, own); });
  }
  std::unique_ptr<Spool> operator()(const recipe::MlflowSink&) const {
    throw Error("a file cannot stand for a server");
  }

  std::unique_ptr<Spool> spooled(const char* name, const Spool::Make& make) const {
    return std::make_unique<Spool>(name, make, warn);
  }
};

}  // namespace

std::unique_ptr<Sink> make_file_sink(const recipe::Sink& kind, const About& about,
                                     const Positions& positions, const Warn& warn) {
  auto spool = std::visit(MakeFileSink{about, positions, warn}, kind);
  if (spool->is_new()) {
    // Later lines of the journals come from the run, which goes on meanwhile.
    const JournalEnds ends = journal_ends(about.folder);
    spool->put([folder = about.folder, ends](Sink& sink) { replay(folder, ends, sink); });
  }
  return spool;
}

}  // namespace knead::track
