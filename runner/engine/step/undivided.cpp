#include "runner/engine/step/undivided.h"

#include <algorithm>
#include <optional>

#include "runner/engine/batch/feed.h"
#include "runner/engine/device/generators.h"
#include "runner/engine/step/pass.h"

namespace knead::engine {

std::uint64_t undivided_bytes(Job& job, const TensorMemory* memory) {
  std::optional<TensorMemory> own;
  if (!memory) memory = &own.emplace();
  const BorrowedGenerator generator(0);
  model::Model& model = *job.trained.model;
  const model::Backup backup = model.backup();
  const std::int64_t before = memory->now();
  Feed feed(job.sets.train, job.fields, job.course.windows, job.sets.order, 0, job.course.end(),
            job.reading_of_share());
  const auto micro = static_cast<std::uint64_t>(job.recipe.batch.micro.value());
  const std::uint64_t size = std::min(feed.next().window.size, micro);
  model.train(true);
  std::int64_t bytes = 0;
  {
    Pass pass(job.trained, job.recipe.precision);
    const losses::Part loss = pass.forward(feed.part(0, size));
    bytes = memory->now() - before;
  }
  backup.restore();
  for (const model::Buffer& buffer : model.buffers())
    bytes += 2 * static_cast<std::int64_t>(buffer.tensor.nbytes());
  return static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 0));
}

}  // namespace knead::engine
