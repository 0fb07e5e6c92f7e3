#include "runner/engine/job/threads.h"

#include <limits>
#include <set>
#include <string_view>

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include "runner/engine/device/autocast.h"
#include "runner/engine/device/device.h"
#include "runner/engine/device/generators.h"
#include "runner/engine/device/set_threads.h"
#include "runner/engine/device/spinning.h"
#include "runner/engine/model/module/run_bounds.h"
#include "runner/engine/model/operators/operator_work.h"
#include "runner/plan/resolve.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

/// Returns how many numbers the matrices and kernels of a model have. Each of them is used for each
/// sample, which those of an embedding are not.
double count_matrices(const model::Model& model) {
  std::set<std::string> embeddings;
  for (const model::ModuleFacts& module : model.modules())
    if (module.kind.type.starts_with("Embedding")) embeddings.insert(module.path + ".weight");
  double numbers = 0;
  for (const NamedTensor& each : model.parameters())
    if (each.tensor.dim() >= 2 && !embeddings.contains(each.name))
      numbers += double(each.tensor.numel());
  return numbers;
}

/// Returns the work of forward for a micro-batch, extrapolated from that of its first sample. A
/// model that does not take a single sample has unknown work; if it takes no batch at all, the run
/// says so itself.
double measure_work(const recipe::Recipe& recipe, model::Model& model, const data::Set& set,
                    const FeedFields& fields, double micro) {
  const c10::NoGradGuard no_gradients;
  const BorrowedGenerator generator(0);
  const model::Backup backup = model.backup();
  const plan::Windows one(set.size(), 1, false);
  const plan::EpochOrder order(set.size(), 0, false);
  const WorkCount work(plan::kWorkOfOperator / micro);
  bool is_whole = true;
  model.train(false);
  try {
    Feed feed(set, fields, one, order, 0, 1, {recipe.data.workers, recipe.data.prefetch});
    MicroBatch part = feed.part(0, feed.next().window.size);
    const Autocast precision(recipe.precision);
    model.forward(std::move(part.inputs));
  } catch (const Error& error) {
    // A forward without end is not tried again.
    if (std::string_view(error.what()).find(model::kTooManySteps) != std::string_view::npos) throw;
    is_whole = false;
  }
  backup.restore();
  model.train(true);
  return is_whole && work.unknown().empty() ? work.total() * micro : kUnknown;
}

void resolve_threads(recipe::Recipe& recipe, model::Model& model, const data::Set& set,
                     const FeedFields& fields) {
  const std::int64_t cores = at::get_num_threads();
  const auto micro = double(recipe.batch.micro.value());
  const double enough = plan::kWorkOfThread * double(cores);
  // A product and a sum for each number of a matrix is the least work, known without a forward.
  double work = device().is_cpu() ? 2 * count_matrices(model) * micro : kUnknown;
  if (cores > 1 && work < enough) work = measure_work(recipe, model, set, fields, micro);
  plan::resolve_threads(recipe, work, cores);
}

void use_threads(std::int64_t threads) {
  set_threads(threads);
  // Also for the threads of backward that LibTorch starts.
  if (threads > 1) at::set_num_threads(static_cast<int>(threads));
  watch_spinning(threads);
}

}  // namespace

void choose_threads(recipe::Recipe& recipe, model::Model& model, const data::Set& set,
                    const FeedFields& fields) {
  if (!recipe.threads) resolve_threads(recipe, model, set, fields);
  use_threads(*recipe.threads);
}

void choose_threads(recipe::Recipe& recipe, const model::Model& model, double rows) {
  const double work = device().is_cpu() ? 2 * count_matrices(model) * rows : kUnknown;
  if (!recipe.threads) plan::resolve_threads(recipe, work, at::get_num_threads());
  use_threads(*recipe.threads);
}

}  // namespace knead::engine
