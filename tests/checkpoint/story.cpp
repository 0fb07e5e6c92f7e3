#include "tests/checkpoint/story.h"

#include <cstring>

#include <fmt/format.h>

#include "tests/checkpoint/shards.h"

namespace knead::tests {

namespace {

files::TensorBytes floats(const std::string& name, std::vector<float> values,
                          std::vector<std::int64_t> shape) {
  files::TensorBytes tensor{name, "F32", std::move(shape), {}};
  tensor.bytes.resize(values.size() * sizeof(float));
  std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  return tensor;
}

}  // namespace

checkpoint::Snapshot snapshot_of(std::uint64_t step) {
  const auto at = static_cast<float>(step);
  checkpoint::Snapshot out;
  out.step = step;
  out.parts = {
      {"model.safetensors",
       {floats("0.weight", {at, -at, 0.5F}, {1, 3}), floats("0.bias", {at}, {1})},
       {}},
      {"optimizer.safetensors",
       {floats("0.weight/exp_avg", {at / 3, 0, at}, {1, 3}), floats("0.weight/step", {at}, {})},
       {{"type", "adamw"}}}};
  out.tensors = checkpoint::tensor_digest(out.parts);
  out.state = {{"step", step}, {"seconds", 0.1 * static_cast<double>(step)}};
  out.facts = {{"loss", 1.0 / static_cast<double>(step)}};
  return out;
}

Disk disk_for_run() {
  SimulatedFiles files;
  files.make_folder("runs");
  files.make_folder(kRun);
  return files.disk.rest();
}

checkpoint::Manifest save_alone(files::FileSystem&, checkpoint::Store& store, std::uint64_t step) {
  return store.save(snapshot_of(step));
}

checkpoint::Manifest save_by_two(files::FileSystem& files, checkpoint::Store& store,
                                 std::uint64_t step) {
  const checkpoint::Snapshot snapshot = snapshot_of(step);
  const std::vector<checkpoint::RankParts> parts = cut_for_ranks(snapshot, 2, true);
  return store.seal(written_by_ranks(files, store, snapshot, parts));
}

void three_saves(files::FileSystem& files, std::uint64_t& acknowledged) {
  three_saves_by(save_alone, files, acknowledged);
}

void three_saves_by(const Save& save, files::FileSystem& files, std::uint64_t& acknowledged) {
  checkpoint::Store store(files, kRun);
  const checkpoint::Recovery recovery = store.recover();
  const std::uint64_t from = recovery.found ? recovery.found->manifest.step : 0;
  for (std::uint64_t step = from + 1; step <= from + 3; ++step) {
    save(files, store, step);
    acknowledged = step;
    store.rotate({.last = 1, .best = {}, .stretch = {}});
  }
}

bool same(const checkpoint::Snapshot& left, const checkpoint::Snapshot& right) {
  return left.step == right.step && left.tensors == right.tensors &&
         checkpoint::tensor_digest(left.parts) == checkpoint::tensor_digest(right.parts) &&
         left.state == right.state && left.facts == right.facts;
}

std::string wrong_after_start(const Disk& disk, std::uint64_t acknowledged) {
  SimulatedFiles files(disk);
  try {
    const checkpoint::Recovery recovery = checkpoint::Store(files, kRun).recover();
    if (!recovery.notes.empty()) return recovery.notes.front();
    const std::uint64_t found = recovery.found ? recovery.found->manifest.step : 0;
    if (found < acknowledged || found > acknowledged + 1) {
      return fmt::format("step {} was saved, step {} found", acknowledged, found);
    }
    if (recovery.found && !same(recovery.found->snapshot, snapshot_of(found))) {
      return fmt::format("step {} is another one than was saved", found);
    }
    for (const checkpoint::Listed& listed : checkpoint::verify_checkpoints(files, kRun)) {
      if (!listed.manifest) return fmt::format("step {}: {}", listed.step, listed.damage);
    }
  } catch (const Error& error) {
    return error.what();
  }
  const auto tree = files.disk.tree();
  checkpoint::Store(files, kRun).recover();
  return files.disk.tree() == tree ? "" : "a second start changed something";
}

}  // namespace knead::tests
