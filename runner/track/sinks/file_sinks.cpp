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

/// Makes the sink of each kind.
struct OpenSink {
  const About& about;
  const Positions& positions;
  const Warn& warn;

  std::unique_ptr<Sink> operator()(const recipe::TensorBoardSink&) const {
    return make_tensorboard(about, warn);
  }
  std::unique_ptr<Sink> operator()(const recipe::CsvSink&) const {
    return make_csv_sink(about, positions, warn);
  }
  std::unique_ptr<Sink> operator()(const recipe::WandbSink& kind) const {
    return make_wandb(kind, about, warn);
  }
  std::unique_ptr<Sink> operator()(const recipe::DvcliveSink& kind) const {
    return make_dvclive(kind, about, warn);
  }
  std::unique_ptr<Sink> operator()(const recipe::PrometheusSink& kind) const {
    return make_prometheus(kind, about, warn);
  }
  std::unique_ptr<Sink> operator()(const recipe::MlflowSink&) const {
    throw Error("a file cannot stand for a server");
  }
};

}  // namespace

std::unique_ptr<Sink> make_file_sink(const recipe::Sink& kind, const About& about,
                                     const Positions& positions, const Warn& warn) {
  auto spool = std::make_unique<Spool>(
      std::string(recipe::kind_of(kind)),
      [&](const Warn& own) {
        return std::visit(OpenSink{about, positions, own}, kind);
      },
      warn);
  if (spool->is_new()) {
    // Later lines of the journals come from the run, which goes on meanwhile.
    const JournalEnds ends = journal_ends(about.folder);
    spool->put([folder = about.folder, ends](Sink& sink) { replay(folder, ends, sink); });
  }
  return spool;
}

std::unique_ptr<Sink> remake_file_sink(const recipe::Sink& kind, const About& about,
                                       const Warn& warn) {
  // The others write their files anew at each start.
  if (std::holds_alternative<recipe::TensorBoardSink>(kind))
    std::filesystem::remove_all(about.folder / kTensorBoardFolder);
  return std::visit(OpenSink{about, {}, warn}, kind);
}

}  // namespace knead::track
