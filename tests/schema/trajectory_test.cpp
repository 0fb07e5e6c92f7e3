#include "schema/trajectory.h"

#include <catch2/catch.hpp>

#include "tests/schema/world.h"

using namespace knead;
using schema::KeyChange;
using schema::Trajectory;

namespace {

/// The trajectory of the good recipe with changes.
Trajectory with(const std::vector<std::string>& overrides, const std::string& folder = "/here",
                const std::map<std::string, std::string>& variables = {}) {
  const tests::FakeWorld world{
      {{folder + "/r.yaml", tests::kGoodRecipe}, {folder + "/mlp.py", ""}, {"/here/other.py", ""}},
      variables};
  return schema::trajectory(schema::load(folder + "/r.yaml", overrides, world.world()).tree);
}

std::vector<KeyChange> changed(const std::vector<std::string>& overrides,
                               const std::vector<std::string>& before = {}) {
  return schema::changes(with(before), with(overrides));
}

using Changes = std::vector<KeyChange>;

}  // namespace

TEST_CASE("a trajectory is every key that decides how a run goes, defaults too") {
  CHECK(schema::to_text(with({})) == R"(seed: 0
model.class: MLP
model.args.inputs: 64
data.train.type: csv
data.train.delimiter: ","
data.train.fields.pixels.columns: ["0:64"]
data.train.fields.pixels.scale: 1
data.train.fields.pixels.offset: 0
data.train.fields.digit.columns: [64]
data.train.fields.digit.dtype: int64
data.train.fields.digit.scale: 1
data.train.fields.digit.offset: 0
data.train.rows: [0, 1500]
data.train.transforms: []
data.validation.type: csv
data.validation.delimiter: ","
data.validation.fields.pixels.columns: ["0:64"]
data.validation.fields.pixels.scale: 1
data.validation.fields.pixels.offset: 0
data.validation.fields.digit.columns: [64]
data.validation.fields.digit.dtype: int64
data.validation.fields.digit.scale: 1
data.validation.fields.digit.offset: 0
data.validation.rows: [1500, 1797]
data.validation.like: train
data.validation.transforms: []
data.shuffle: true
data.drop_last: false
loss.type: cross_entropy
loss.target: digit
loss.ignore_index: -100
loss.label_smoothing: 0
batch.size: 32
optimizer.type: adamw
optimizer.lr: 0.001
optimizer.betas: [0.9, 0.999]
optimizer.eps: 1e-08
optimizer.weight_decay: 0.01
optimizer.amsgrad: false
optimizer.groups: []
schedule.type: constant
non_finite.action: stop
non_finite.most_in_a_row: 5
precision.compute: fp32
precision.scaler.init: 65536
precision.scaler.growth: 2
precision.scaler.backoff: 0.5
precision.scaler.interval: 2000
evaluate.every: 1 epoch
evaluate.monitor: validation/loss
evaluate.at_start: false
evaluate.metrics: []
)");
}

TEST_CASE("what a resumed run may change is no part of it") {
  CHECK(changed({"description=other words", "checkpoint=100 steps", "checkpoint.keep.last=5",
                 "track.every=1 epoch", "expect={metric: validation/loss, at_most: 1}",
                 "export=torchscript", "data.workers=7", "data.prefetch=1", "train.time_limit=1 h",
                 "train.until=40 epochs", "name=other", "output=/there", "distributed=4",
                 "distributed.restarts=2", "threads=3", "device=cpu", "batch.micro=8",
                 "evaluate.batch=9"}) == Changes{});
  CHECK(
      changed({"distributed={ranks: 4, strategy: zero3, units: [a], replicas: 2, memory: 1 GB}"}) ==
      Changes{});
}

TEST_CASE("what an older version did not let a resumed run change is no change") {
  const auto now = with({});
  auto before = now;
  for (const auto& [key, value] : {std::pair{"threads", "1"},
                                   {"batch.micro", "8"},
                                   {"evaluate.batch", "9"},
                                   {"data.train.classes", "[cat, dog]"}})
    before.emplace_back(key, value);
  CHECK(schema::changes(before, now).empty());
  before.emplace_back("data.train.of.0.rows", "[0, 9]");
  CHECK(schema::changes(before, now).size() == 1);
}

TEST_CASE("rounded parameters are part of it where a strategy gathers them") {
  CHECK(changed({"distributed={strategy: zero1, gather: bf16}"}) ==
        Changes{{"distributed.gather", {}, "bf16"}});
  CHECK(changed({"distributed={strategy: zero2, gather: bf16}"},
                {"distributed={strategy: auto, gather: bf16}"}) == Changes{});
}

TEST_CASE("a moved recipe is the same, and so is one that names other files") {
  CHECK(with({}) == with({}, "/there"));
  CHECK(changed({"model.source=other.py", "data.train.path=other.csv",
                 "data.validation.path=third.csv"}) == Changes{});
}

TEST_CASE("the same value in other words is the same") {
  CHECK(changed({"optimizer.lr=0.0010", "batch={size: 32}", "evaluate.every=1.0 epochs",
                 "evaluate.metrics=[]", "data.shuffle=True", "optimizer.betas=[9e-1, .999]"}) ==
        Changes{});
}

TEST_CASE("everything else is a change, with both values") {
  CHECK(changed({"optimizer.lr=1e-2"}) == Changes{{"optimizer.lr", "0.001", "0.01"}});
  CHECK(changed({"seed=1", "model.args.deep=[1, [2, {a: b}]]"}) ==
        Changes{{"seed", "0", "1"},
                {"model.args.deep.0", {}, "1"},
                {"model.args.deep.1.0", {}, "2"},
                {"model.args.deep.1.1.a", {}, "b"}});
  CHECK(changed({}, {"clip=1"}) == Changes{{"clip.norm", "1", {}}, {"clip.norm_type", "2", {}}});
  CHECK(changed({"evaluate.metrics=[accuracy, {type: accuracy, top: 5}]"},
                {"evaluate.metrics=accuracy"}) ==
        Changes{{"evaluate.metrics.1.type", {}, "accuracy"},
                {"evaluate.metrics.1.top", {}, "5"},
                {"evaluate.metrics.1.threshold", {}, "0"}});
  CHECK(changed({"data.train.rows=[0, 1000]"}) ==
        Changes{{"data.train.rows", "[0, 1500]", "[0, 1000]"}});
  CHECK(changed({"model.inputs=[pixels]", "non_finite=skip"}) ==
        Changes{{"model.inputs", {}, "[pixels]"}, {"non_finite.action", "stop", "skip"}});
  CHECK(changed({"optimizer={type: sgd, lr: 1e-3}"}) ==
        Changes{{"optimizer.type", "adamw", "sgd"},
                {"optimizer.momentum", {}, "0"},
                {"optimizer.dampening", {}, "0"},
                {"optimizer.weight_decay", "0.01", "0"},
                {"optimizer.nesterov", {}, "false"},
                {"optimizer.betas", "[0.9, 0.999]", {}},
                {"optimizer.eps", "1e-08", {}},
                {"optimizer.amsgrad", "false", {}}});
}

TEST_CASE("a value from the environment counts as the value") {
  const std::string lr = "optimizer.lr=${env:LR}";
  CHECK(with({lr}, "/here", {{"LR", "0.001"}}) == with({}));
  CHECK(schema::changes(with({}), with({lr}, "/here", {{"LR", "0.1"}})) ==
        Changes{{"optimizer.lr", "0.001", "0.1"}});
}

TEST_CASE("a longer run may resume unless its schedule would have been another") {
  const std::string longer = "train.until=40 epochs";
  const auto change = [&](const std::string& schedule) {
    return changed({longer, "schedule=" + schedule}, {"schedule=" + schedule});
  };
  CHECK(change("constant") == Changes{});
  CHECK(change("{type: constant, warmup: 10 steps}") == Changes{});
  CHECK(change("{type: constant, warmup: 10%}") ==
        Changes{{"train.until", "20 epochs", "40 epochs"}});
  CHECK(change("cosine") == Changes{{"schedule.over", "20 epochs", "40 epochs"}});
  CHECK(change("{type: cosine, over: 20 epochs}") == Changes{});
  CHECK(change("{type: cosine, over: 20 epochs, warmup: 10%}") == Changes{});
}

TEST_CASE("a schedule that is held to its length may go on after it") {
  CHECK(changed({"train.until=40 epochs", "schedule={type: cosine, over: 20 epochs}"},
                {"schedule=cosine"}) == Changes{});
}

TEST_CASE("a refused resume says each key, and the ways on") {
  const Error error = schema::resume_refused(
      "runs/digits", "digits",
      {{"optimizer.lr", "0.001", "0.002"}, {"clip.norm", {}, "1"}, {"threads", "2", {}}});
  CHECK(std::string(error.what()) ==
        "runs/digits cannot be resumed, because the recipe has changed:\n"
        "  optimizer.lr  0.001 → 0.002\n"
        "  clip.norm     (none) → 1\n"
        "  threads       2 → (none)");
  CHECK(error.remedy() ==
        "--fresh starts over and keeps the old run as runs/digits.old-<n>; name=digits-2 keeps "
        "both");
  CHECK(error.code() == Exit::resume_refused);
}

TEST_CASE("a refusal for the length of the schedule says how to keep it") {
  const Error error = schema::resume_refused("runs/digits", "digits",
                                             {{"schedule.over", "20 epochs", "40 epochs"}});
  CHECK(error.remedy() ==
        "--fresh starts over and keeps the old run as runs/digits.old-<n>; name=digits-2 keeps "
        "both; schedule.over is train.until unless it is written");
}
