#include "tests/checkpoint/story.h"

#include <cstring>

#include <fmt/format.h>

namespace knead::tests {

namespace {

files::TensorBytes floats(const std::string& name, std::vector<float> values) {
  files::TensorBytes tensor{name, "F32", {static_cast<std::int64_t>(values.size())}, {}};
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
      {"model.safetensors", {floats("0.weight", {at, -at, 0.5F}), floats("0.bias", {at})}, {}},
      {"optimizer.safetensors", {floats("0.bias.exp_avg", {at / 3})}, {{"type", "adamw"}}}};
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

void three_saves(files::FileSystem& files, std::uint64_t& acknowledged) {
  checkpoint::Store store(files, kRun);
  const checkpoint::Recovery recovery = store.recover();
  const std::uint64_t from = recovery.found ? recovery.found->manifest.step : 0;
  for (std::uint64_t step = from + 1; step <= from + 3; ++step) {
    store.save(snapshot_of(step));
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
