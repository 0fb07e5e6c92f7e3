#include "runner/weights/write.h"

#include <catch2/catch.hpp>

#include "tests/folder.h"
#include "tests/weights/all_of.h"

using namespace knead;
using namespace knead::tests;

namespace {

std::string bytes_of(const files::Content& content) {
  std::string bytes;
  content([&](std::span<const std::byte> piece) {
    bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  return bytes;
}

std::vector<files::TensorBytes> tensors_of(const std::string& name) {
  std::vector<files::TensorBytes> tensors;
  for (auto& [key, tensor] : all_of(kWeights / name)) tensors.push_back(tensor);
  return tensors;
}

}  // namespace

// That Python reads it too is held in tests/interop/weights_test.py.
TEST_CASE("what is written as torch.save would is read again") {
  const auto tensors = tensors_of("state_dict.pt");
  const std::string bytes =
      bytes_of(weights::torch_file(tensors, {{"alias:other", "head.weight"}}));
  CHECK(bytes == bytes_of(weights::torch_file(tensors, {{"alias:other", "head.weight"}})));
  const Folder folder;
  write_text(folder / "w.pt", bytes);
  auto expected = all_of(kWeights / "state_dict.pt");
  expected["other"] = expected.at("head.weight");
  expected["other"].name = "other";
  CHECK(all_of(folder / "w.pt") == expected);
}

TEST_CASE("tied weights are one tensor in the file") {
  const auto tensors = tensors_of("views.pt");
  const Folder folder;
  write_text(folder / "w.pt", bytes_of(weights::torch_file(tensors, {{"alias:tied", "base"}})));
  const weights::Weights file = weights::open_weights(folder / "w.pt", {});
  std::map<std::string, std::size_t> blocks;
  for (const weights::StoredTensor& tensor : file.tensors()) blocks[tensor.name] = tensor.block;
  CHECK(blocks.at("tied") == blocks.at("base"));
  CHECK(blocks.at("row") != blocks.at("base"));
}

TEST_CASE("a type that torch.save has no word for is refused") {
  CHECK(
      refusal("/",
              [] {
                weights::torch_file({{"w", "F8_E4M3", {1}, files::OwnBytes(1, std::byte{0})}}, {});
              }) ==
      "'w' has the type F8_E4M3, which a file of torch.save's cannot hold\n"
      "export to safetensors");
}
