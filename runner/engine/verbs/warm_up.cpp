#include "runner/engine/verbs/warm_up.h"

#include <string>

#include <unistd.h>

#include <fmt/format.h>

#include "runner/engine/device/start.h"
#include "runner/engine/job/job.h"
#include "runner/engine/model/python/evaluator/layers.h"
#include "runner/engine/step/evaluation.h"
#include "runner/engine/step/update.h"
#include "runner/launch/memory_file.h"
#include "runner/plan/loss_scale.h"
#include "runner/plan/resolve.h"
#include "runner/run/progress.h"
#include "schema/load.h"

namespace knead::engine {
namespace {

constexpr std::string_view kModel = R"(import torch
from torch import nn
import torch.nn.functional as F


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.images = nn.Sequential(nn.Conv2d(1, 2, 3, padding=1), nn.BatchNorm2d(2), nn.ReLU(),
                                    nn.MaxPool2d(2), nn.Flatten())
        self.tokens = nn.Embedding(4, 4)
        self.norm = nn.LayerNorm(4)
        self.layers = nn.Sequential(nn.Linear(6, 4), nn.GELU(), nn.Dropout(0.1), nn.Linear(4, 2))

    def forward(self, x):
        images = self.images(x.view(-1, 1, 2, 2))
        tokens = self.norm(self.tokens((x > 1).long()))
        tokens = F.scaled_dot_product_attention(tokens, tokens, tokens, is_causal=True)
        return self.layers(torch.cat([images, tokens.mean(dim=1)], dim=1))
)";

constexpr std::string_view kData = "a,b,c,d,y\n0,1,2,3,0\n3,2,1,0,1\n1,1,2,2,0\n2,2,1,1,1\n";

constexpr std::string_view kRecipe = R"(version: 1
name: small
model: {{source: {}, class: Small}}
data:
  train: {{type: csv, path: {}, fields: {{x: {{columns: [a, b, c, d]}}, y: {{columns: y, dtype: int64}}}}}}
  validation: {{like: train}}
  workers: 0
loss: {{type: cross_entropy, target: y}}
batch: 2
optimizer: {{type: adamw, lr: 1e-3}}
evaluate: {{metrics: accuracy}}
train: 2 steps
threads: 1
)";

/// Makes a file in memory, which needs no folder and is gone with this process.
launch::MemoryFile file_of(std::string_view text) {
  launch::MemoryFile file("knead-warm-up");
  std::string_view left = text;
  while (!left.empty()) {
    const ssize_t written = write(file.descriptor(), left.data(), left.size());
    if (written <= 0) break;  // who reads the file finds that it is cut
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  return file;
}

void train_small_model() {
  const launch::MemoryFile model = file_of(kModel);
  const launch::MemoryFile data = file_of(kData);
  const launch::MemoryFile text =
      file_of(fmt::format(fmt::runtime(kRecipe), model.path(), data.path()));
  recipe::Recipe recipe = schema::load(text.path(), {}, schema::this_world()).recipe;
  plan::resolve(recipe, {});
  Job job = prepare(std::move(recipe));
  run::Progress progress{.loss_scale = plan::first_loss_scale(job.recipe.precision)};
  Updates updates(job, progress,
                  {.end = job.course.end(), .warn = [](const std::string& /*sentence*/) {}});
  job.trained.model->train(true);
  while (progress.step < job.course.end()) updates.make(job.course.schedule.factor(progress.step));
  updates.settle();
  evaluation_of(job, "validation", *job.sets.validation).try_first_batch(*job.trained.model);
}

}  // namespace

void warm_up() {
  start_torch_before_forks();
  model::keep_layers();
  train_small_model();
}

}  // namespace knead::engine
