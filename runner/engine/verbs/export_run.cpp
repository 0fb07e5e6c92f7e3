#include <array>

#include <fmt/format.h>

#include "runner/engine/job/build_model.h"
#include "runner/engine/job/start_files.h"
#include "runner/engine/train/export.h"
#include "runner/engine/train/restore.h"
#include "runner/engine/train/sharded_snapshot.h"
#include "runner/engine/verbs/best_of_run.h"
#include "runner/engine/verbs/call.h"
#include "runner/engine/verbs/verbs.h"
#include "runner/files/posix_files.h"
#include "schema/document/standard_streams.h"

namespace knead::engine {
namespace {

recipe::Export::To format_of(const Call& call) {
  using To = recipe::Export::To;
  for (const auto format : {To::torchscript, To::safetensors, To::torch}) {
    if (call.to == to_string(format)) return format;
  }
  throw Error(fmt::format("'{}' is no format to export to", call.to),
              "write --to torchscript, safetensors or torch", Exit::invalid_recipe);
}

/// Builds the model from its present source and writes it with the weights of the checkpoint.
/// Returns their step. Throws knead::Error if the source does not fit the weights.
std::uint64_t export_archive(const Call& call, const recipe::Recipe& recipe,
                             files::FileSystem& disk) {
  const checkpoint::Found found = best_of_run(call.file, recipe.evaluate, checkpoint::Hold::state);
  // A model that no rank has held whole may be larger than the memory.
  const auto start_files =
      files_of_start(recipe, static_cast<int>(recipe.distributed.ranks.value()));
  BuiltModel built;
  make_in(start_files.get(), [&] { built = build_model(recipe.model); });
  read_step(call.file, found.manifest.step, [&](const checkpoint::TensorReader& reader) {
    restore_evaluated_pieces(*built.model, nullptr, reader, found.snapshot);
  });
  built.model->train(false);
  write_archive(*built.model, disk, call.out);
  return found.manifest.step;
}

}  // namespace

Exit export_run(const Call& call) {
  const auto format = format_of(call);
  files::PosixFiles disk(files::Access::umask);
  const recipe::Recipe recipe = recipe_of_run(call).recipe;
  std::filesystem::path written = call.out;
  std::uint64_t step = 0;
  // The other formats need no model: they work without its source.
  if (format == recipe::Export::To::torchscript) {
    step = export_archive(call, recipe, disk);
  } else {
    step = best_of_run(call.file, recipe.evaluate, checkpoint::Hold::state).manifest.step;
    const WeightsFile file{format, most_in_a_part(recipe.export_), call.out};
    read_step(call.file, step, [&](const checkpoint::TensorReader& reader) {
      written = write_weights(checkpoint::evaluated_tensors(reader), file, disk);
    });
  }
  tell(fmt::format("wrote {}: the weights of step {}\n", written.string(), step));
  return Exit::done;
}

}  // namespace knead::engine
