#include "runner/checkpoint/weights_files.h"

#include <catch2/catch.hpp>

#include "runner/files/folders.h"
#include "runner/files/read.h"
#include "runner/files/safetensors.h"
#include "tests/checkpoint/story.h"

namespace knead::tests {

namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(kRun) / "export";
const fs::path kFile = kFolder / "model.safetensors";
const fs::path kIndex = kFolder / "model.safetensors.index.json";

/// Returns a tensor of so many numbers, all of them `value`.
files::TensorBytes tensor(const std::string& name, std::size_t numbers, float value) {
  files::TensorBytes out{name, "F32", {static_cast<std::int64_t>(numbers)}, {}};
  const std::vector<float> values(numbers, value);
  const auto bytes = std::as_bytes(std::span(values));
  out.bytes = files::OwnBytes(bytes.data(), bytes.data() + bytes.size());
  return out;
}

/// Holds tensors of 16, 8, 40, 4 and 4 bytes, of which one is tied.
struct Weights {
  std::vector<files::TensorBytes> tensors{tensor("a", 4, 1), tensor("b", 2, 2), tensor("c", 10, 3),
                                          tensor("d", 1, 4), tensor("e", 1, 5)};
  checkpoint::EvaluatedTensors evaluated{files::contents_of(tensors),
                                         {{"format", "pt"}, {"alias:head", "d"}}};
};

SimulatedFiles empty_folder() {
  SimulatedFiles disk(disk_for_run());
  disk.make_folder(kFolder);
  return disk;
}

std::vector<std::string> names_in(files::FileSystem& disk) {
  std::vector<std::string> out;
  for (const files::Entry& entry : files::list_sorted(disk, kFolder)) out.push_back(entry.name);
  return out;
}

files::Safetensors read(files::FileSystem& disk, const std::string& name) {
  files::InputFile in(disk, kFolder / name);
  return files::read_safetensors(in, kFolder / name);
}

}  // namespace

TEST_CASE("weights are cut into parts of at most the size that is asked for") {
  SimulatedFiles disk = empty_folder();
  const Weights weights;
  CHECK(checkpoint::write_safetensors(weights.evaluated, 24, disk, kFile) == kIndex);
  CHECK(names_in(disk) == std::vector<std::string>{"model-00001-of-00003.safetensors",
                                                   "model-00002-of-00003.safetensors",
                                                   "model-00003-of-00003.safetensors",
                                                   "model.safetensors.index.json"});
  const files::Safetensors first = read(disk, "model-00001-of-00003.safetensors");
  CHECK(first.tensors == std::vector{weights.tensors[0], weights.tensors[1]});
  CHECK(first.metadata == files::Metadata{{"format", "pt"}});
  // A tensor that is larger than a part may be.
  CHECK(read(disk, "model-00002-of-00003.safetensors").tensors == std::vector{weights.tensors[2]});
  const files::Safetensors last = read(disk, "model-00003-of-00003.safetensors");
  CHECK(last.tensors == std::vector{weights.tensors[3], weights.tensors[4]});
  CHECK(last.metadata == files::Metadata{{"format", "pt"}, {"alias:head", "d"}});
  CHECK(files::read_small(disk, kIndex, 10'000) == R"({
  "metadata": {
    "total_size": 72
  },
  "weight_map": {
    "a": "model-00001-of-00003.safetensors",
    "b": "model-00001-of-00003.safetensors",
    "c": "model-00002-of-00003.safetensors",
    "d": "model-00003-of-00003.safetensors",
    "e": "model-00003-of-00003.safetensors"
  }
}
)");
}

TEST_CASE("weights that fit are one file") {
  SimulatedFiles disk = empty_folder();
  const Weights weights;
  for (const std::optional<std::uint64_t> most : {std::optional<std::uint64_t>(), {72}}) {
    CHECK(checkpoint::write_safetensors(weights.evaluated, most, disk, kFile) == kFile);
    CHECK(names_in(disk) == std::vector<std::string>{"model.safetensors"});
    CHECK(read(disk, "model.safetensors").tensors == weights.tensors);
  }
}

TEST_CASE("parts replace a single file, which readers would prefer") {
  SimulatedFiles disk = empty_folder();
  const Weights weights;
  checkpoint::write_safetensors(weights.evaluated, std::nullopt, disk, kFile);
  checkpoint::write_safetensors(weights.evaluated, 48, disk, kFile);
  CHECK(names_in(disk) == std::vector<std::string>{"model-00001-of-00002.safetensors",
                                                   "model-00002-of-00002.safetensors",
                                                   "model.safetensors.index.json"});
}

TEST_CASE("parts that are written anew have no index until all of them are there") {
  SimulatedFiles disk = empty_folder();
  Weights weights;
  checkpoint::write_safetensors(weights.evaluated, 48, disk, kFile);
  weights.evaluated.tensors[3].bytes = [&](const files::Sink&) {
    CHECK(names_in(disk).back() != "model.safetensors.index.json");
    throw std::runtime_error("the disk of the checkpoint fails");
  };
  CHECK_THROWS(checkpoint::write_safetensors(weights.evaluated, 48, disk, kFile));
  CHECK(names_in(disk) == std::vector<std::string>{"model-00001-of-00002.safetensors",
                                                   "model-00002-of-00002.safetensors"});
}

}  // namespace knead::tests
