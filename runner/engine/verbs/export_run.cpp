#include <array>

#include <fmt/format.h>

#include "runner/engine/job/build_model.h"
#include "runner/engine/train/export.h"
#include "runner/engine/train/snapshot.h"
#include "runner/engine/verbs/best_of_run.h"
#include "runner/engine/verbs/call.h"
#include "runner/engine/verbs/verbs.h"
#include "runner/files/posix_files.h"

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
/// Throws knead::Error if the source does not fit the weights.
void write_archive(const recipe::Recipe& recipe, const checkpoint::Found& found,
                   files::FileSystem& disk, const std::filesystem::path& out) {
  const BuiltModel built = build_model(recipe.model);
  restore_evaluated_weights(*built.model, found.snapshot);
  built.model->train(false);
  write_model(*built.model, recipe::Export::To::torchscript, disk, out);
}

}  // namespace

Exit export_run(const Call& call) {
  const auto format = format_of(call);
  files::PosixFiles disk;
  auto [understood, found] = best_of_run(call);
  // The other formats need no model: they work without its source.
  if (format == recipe::Export::To::torchscript) {
    write_archive(understood.recipe, found, disk, call.out);
  } else {
    write_weights(evaluated_part(found.snapshot), format, disk, call.out);
  }
  fmt::print(stderr, "wrote {}: the weights of step {}\n", call.out, found.manifest.step);
  return Exit::done;
}

}  // namespace knead::engine
