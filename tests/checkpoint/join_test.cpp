#include "runner/checkpoint/join.h"

#include <cstring>
#include <numeric>

#include <catch2/catch.hpp>

#include "runner/checkpoint/manifest.h"
#include "runner/checkpoint/names.h"
#include "runner/checkpoint/pieces.h"
#include "tests/checkpoint/shards.h"

namespace knead::tests {

namespace {

using checkpoint::Part;

files::TensorBytes numbers(const std::string& name, const std::string& dtype,
                           std::vector<std::int64_t> shape, std::size_t width) {
  files::TensorBytes tensor{name, dtype, std::move(shape), {}};
  tensor.bytes.resize(static_cast<std::size_t>(checkpoint::numbers_of(tensor.shape)) * width);
  std::byte value{static_cast<unsigned char>(name.size())};
  for (std::byte& byte : tensor.bytes) {
    value = static_cast<std::byte>(static_cast<int>(value) * 5 + 3);
    byte = value;
  }
  return tensor;
}

/// Tensors of several types, of one number, of none, without dimensions and with a step.
checkpoint::Snapshot varied() {
  checkpoint::Snapshot out;
  out.step = 7;
  Part model{"model.safetensors", {}, {{"alias:head.weight", "wte.weight"}}};
  Part optimizer{"optimizer.safetensors", {}, {}};
  Part average{"average.safetensors", {}, {}};
  const auto add = [&](const std::string& name, const std::vector<std::int64_t>& shape,
                       const std::string& dtype, std::size_t width) {
    model.tensors.push_back(numbers(name, dtype, shape, width));
    average.tensors.push_back(numbers(name, dtype, shape, width));
    optimizer.tensors.push_back(numbers(name + "/exp_avg", "F32", shape, 4));
    optimizer.tensors.push_back(numbers(name + "/step", "F32", {}, 4));
  };
  add("wte.weight", {5, 3}, "F32", 4);
  add("h.0.weight", {2, 2, 3}, "BF16", 2);
  add("h.0.bias", {1}, "F64", 8);
  add("scale", {}, "F32", 4);
  add("h.1.weight", {7}, "F32", 4);
  model.tensors.push_back(numbers("empty", "F32", {0, 4}, 4));
  out.parts = {model, optimizer, average};
  out.tensors = checkpoint::tensor_digest(out.parts);
  return out;
}

std::vector<Part> all_parts(const std::vector<checkpoint::RankParts>& ranks) {
  std::vector<Part> out;
  for (const checkpoint::RankParts& rank : ranks)
    out.insert(out.end(), rank.parts.begin(), rank.parts.end());
  return out;
}

/// Joins parts and takes their digest and metadata.
std::pair<std::string, files::Metadata> joined(std::vector<Part> parts) {
  const std::vector<Part> plain = checkpoint::join_parts(std::move(parts));
  files::Metadata metadata;
  for (const Part& part : plain) metadata.insert(part.metadata.begin(), part.metadata.end());
  return {checkpoint::tensor_digest(plain), metadata};
}

/// The parts of three ranks after `change`, and what a join says of them.
template <class Change>
std::string refusal(Change change) {
  std::vector<Part> parts = all_parts(cut_for_ranks(varied(), 3, true));
  change(parts);
  try {
    checkpoint::join_parts(std::move(parts));
  } catch (const checkpoint::Damaged& damaged) {
    return damaged.what();
  }
  return "";
}

Part& named(std::vector<Part>& parts, const std::string& file) {
  const auto found =
      std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return part.file == file; });
  REQUIRE(found != parts.end());
  return *found;
}

files::TensorBytes& named(Part& part, const std::string& tensor) {
  const auto found =
      std::find_if(part.tensors.begin(), part.tensors.end(),
                   [&](const files::TensorBytes& each) { return each.name == tensor; });
  REQUIRE(found != part.tensors.end());
  return *found;
}

}  // namespace

TEST_CASE("names of shards are read as they are made, and no others") {
  CHECK(checkpoint::shard_name({"model.safetensors", 0, 4}) == "model-00001-of-00004.safetensors");
  for (const auto& [shard, shards] : {std::pair{0, 1}, {1, 2}, {99'999, 123'456}}) {
    const auto read =
        checkpoint::shard_of(checkpoint::shard_name({"a-b.safetensors", shard, shards}));
    REQUIRE(read);
    CHECK(read->file == "a-b.safetensors");
    CHECK(read->shard == shard);
    CHECK(read->shards == shards);
  }
  for (const char* name :
       {"model.safetensors", "model-1-of-4.safetensors", "model-00000-of-00004.safetensors",
        "model-00005-of-00004.safetensors", "-of-.safetensors", "model-00001-of-00004.json",
        "model-0000x-of-00004.safetensors", "model-000001-of-00004.safetensors"})
    CHECK_FALSE(checkpoint::shard_of(name));
}

TEST_CASE("what ranks share out, however many, is joined to what one process saves") {
  const checkpoint::Snapshot plain = varied();
  for (const bool cut : {true, false}) {
    for (int ranks = 1; ranks <= 4; ++ranks) {
      const std::vector<Part> parts = all_parts(cut_for_ranks(plain, ranks, cut));
      CHECK(parts.size() == static_cast<std::size_t>(3 * ranks));
      const auto [tensors, metadata] = joined(parts);
      CHECK(tensors == plain.tensors);
      CHECK(metadata == plain.parts[0].metadata);
      // What was joined is shared out again among others.
      checkpoint::Snapshot again;
      again.parts = checkpoint::join_parts(parts);
      for (int others = 1; others <= 4; ++others)
        CHECK(joined(all_parts(cut_for_ranks(again, others, !cut))).first == plain.tensors);
    }
  }
}

TEST_CASE("files of one process pass a join as they are") {
  const checkpoint::Snapshot plain = varied();
  CHECK(joined(plain.parts).first == plain.tensors);
}

TEST_CASE("the join of headers says where each number is") {
  std::vector<checkpoint::FileHeader> headers;
  for (const Part& part : all_parts(cut_for_ranks(varied(), 3, true))) {
    headers.push_back({part.file, {{}, part.metadata}});
    for (const files::TensorBytes& tensor : part.tensors)
      headers.back().header.tensors.push_back({tensor.name, tensor.dtype, tensor.shape});
  }
  std::int64_t cut = 0, copies = 0;
  for (const checkpoint::JoinedFile& file : checkpoint::join(headers)) {
    for (const checkpoint::JoinedTensor& tensor : file.tensors) {
      std::int64_t end = 0;
      for (const checkpoint::Stretch& stretch : tensor.stretches) {
        CHECK(stretch.begin == end);
        end += stretch.count;
      }
      CHECK(end == checkpoint::numbers_of(tensor.shape));
      cut += tensor.stretches.size() > 1;
      copies += static_cast<std::int64_t>(tensor.copies.size());
    }
  }
  CHECK(cut == 4);  // two cuts in each of two files
  CHECK(copies == 2);
}

TEST_CASE("parts that do not fit are refused with the reason") {
  const std::string second = "optimizer-00002-of-00003.safetensors";
  CHECK(refusal([](auto&) {}) == "");
  CHECK(refusal([&](auto& parts) {
          std::erase_if(parts, [&](const Part& part) { return part.file == second; });
        }) == second + " is missing");
  CHECK(refusal([&](auto& parts) {
          named(parts, second).file = "optimizer-00002-of-00004.safetensors";
        }) ==
        "there are optimizer-00001-of-00003.safetensors and optimizer-00002-of-00004.safetensors");
  CHECK(refusal([&](auto& parts) {
          parts.push_back({"model.safetensors", {}, {}});
        }) == "there are model-00001-of-00003.safetensors and model.safetensors");
  const std::string first = "optimizer-00001-of-00003.safetensors";
  const auto noting = [&](const char* words) {
    return refusal([&](auto& parts) {
      Part& part = named(parts, second);
      CHECK(part.metadata["piece:wte.weight"] == "0 3 5x3");
      part.metadata["piece:wte.weight"] = words;
    });
  };
  const std::string misfit = "the parts of optimizer.safetensors do not fit: ";
  CHECK(noting("0 2 5x3") == misfit + "the numbers 2 to 2 of 'wte.weight' are in none of them");
  CHECK(noting("0 4 5x3") == misfit + "the numbers 3 to 3 of 'wte.weight' are in two of them");
  CHECK(noting("0 3 5x4") == misfit + "'wte.weight' has the shape 5x4 in one and 5x3 in another");
  for (const char* words : {"", "0 3", "0 3 ", "0 3 5x3 ", "0 3 5x3x", "-1 4 5x3", "13 3 5x3",
                            "0 0 5x3", "0 99999999999999999999 5x3", "0 3 9999999999x9999999999"})
    CHECK(noting(words) ==
          "'piece:wte.weight' says '" + std::string(words) + "', which is no piece of a parameter");
  CHECK(refusal([&](auto& parts) {
          named(named(parts, second), "wte.weight/step").bytes[0] ^= std::byte{1};
        }) == "optimizer-00003-of-00003.safetensors has another 'wte.weight/step' than " + second);
  CHECK(refusal([&](auto& parts) {
          std::erase_if(named(parts, second).tensors,
                        [](const auto& each) { return each.name == "wte.weight/step"; });
        }) == misfit + "'wte.weight/step' is not in " + second);
  CHECK(refusal([&](auto& parts) {
          named(named(parts, second), "wte.weight/exp_avg").dtype = "I32";
        }) == misfit + "'wte.weight/exp_avg' is I32 in one and F32 in another");
  CHECK(refusal([&](auto& parts) {
          named(named(parts, second), "wte.weight/exp_avg").shape = {3, 1};
        }) == misfit + "'wte.weight/exp_avg' has the shape (3, 1) in " + second +
                  ", whose piece has 3 numbers");
  CHECK(refusal([&](auto& parts) {
          named(parts, first).tensors.push_back(numbers("wte.weight/exp_avg", "F32", {2}, 4));
        }) == misfit + "'wte.weight/exp_avg' is in " + first + ", which has no piece of it");
  CHECK(refusal([&](auto& parts) {
          named(parts, "model-00003-of-00003.safetensors").tensors = parts[0].tensors;
        }).starts_with("the parts of model.safetensors do not fit: '"));
  CHECK(refusal([&](auto& parts) {
          named(parts, "model-00003-of-00003.safetensors").metadata = {{"alias:head.weight", "x"}};
        }) ==
        "the parts of model.safetensors do not fit: 'alias:head.weight' is 'wte.weight' in "
        "one and 'x' in another");
}

TEST_CASE("tensors are dealt so that ranks have about as many bytes") {
  CHECK(checkpoint::deal_by_size({1, 5, 3, 3, 0}, 2) == std::vector<int>{0, 0, 1, 1, 0});
  CHECK(checkpoint::deal_by_size({}, 3).empty());
  CHECK(checkpoint::deal_by_size({4, 4}, 3) == std::vector<int>{0, 1});
}

}  // namespace knead::tests
