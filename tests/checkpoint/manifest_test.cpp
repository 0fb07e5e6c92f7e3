#include <catch2/catch.hpp>

#include "runner/checkpoint/manifest.h"
#include "runner/checkpoint/names.h"
#include "runner/checkpoint/snapshot.h"
#include "tests/checkpoint/story.h"

namespace knead::tests {

TEST_CASE("a manifest is readable, and its last line is the digest of the others") {
  checkpoint::Manifest manifest;
  manifest.run = "0123";
  manifest.parent = {500, "abcd"};
  manifest.step = 1000;
  manifest.files["model.safetensors"] = {100, "beef"};
  manifest.files["state.json"] = {2, "cafe"};
  manifest.tensors = "feed";
  manifest.facts = {{"recipe", "f00d"}};
  const std::string text = checkpoint::manifest_text(manifest);
  const std::string head = R"({
 "format": "knead checkpoint",
 "version": 1,
 "run": "0123",
 "parent": {
  "step": 500,
  "digest": "abcd"
 },
 "step": 1000,
 "files": {
  "model.safetensors": {
   "size": 100,
   "digest": "beef"
  },
  "state.json": {
   "size": 2,
   "digest": "cafe"
  }
 },
 "tensors": "feed",
 "finite": true,
 "facts": {
  "recipe": "f00d"
 },
)";
  CHECK(text == head + " \"digest\": \"" + files::digest(head) + "\"\n}\n");
  const checkpoint::Manifest read = checkpoint::read_manifest(text);
  CHECK(read.parent == manifest.parent);
  CHECK(read.files == manifest.files);
  CHECK(read.digest == manifest.digest);
  checkpoint::Manifest again = read;
  CHECK(checkpoint::manifest_text(again) == text);
}

TEST_CASE("a manifest cannot name what is not in its folder") {
  for (const char* name : {"../model.safetensors", "/tmp/x.safetensors", ".safetensors", "model",
                           "manifest.json", ""}) {
    checkpoint::Manifest manifest;
    manifest.files[name] = {1, "beef"};
    CHECK_THROWS_AS(checkpoint::read_manifest(checkpoint::manifest_text(manifest)),
                    checkpoint::Damaged);
  }
}

TEST_CASE("names of checkpoint folders") {
  CHECK(checkpoint::step_name(500) == "step-00000500");
  CHECK(checkpoint::step_name(1'234'567'890) == "step-1234567890");
  for (const std::uint64_t step : {0UL, 500UL, 123'456'789'012UL}) {
    CHECK(checkpoint::step_of(checkpoint::step_name(step)) == step);
    CHECK(checkpoint::step_of_bad(checkpoint::bad_name(step, 12)) == step);
  }
  for (const char* name : {"step-500", "step-", "step-+0000500", "step-0000050a", "step-00000500-1",
                           "xstep-00000500", "step-99999999999999999999", ""}) {
    CHECK_FALSE(checkpoint::step_of(name));
  }
  CHECK_FALSE(checkpoint::step_of_bad("bad-"));
  CHECK_FALSE(checkpoint::step_of_bad("bad-step-00000500"));
  CHECK(checkpoint::is_temporary(checkpoint::new_temporary_name()));
  CHECK_FALSE(checkpoint::is_temporary(".tmp-0123"));
}

TEST_CASE("the digest of tensors sees all of them, but not their order") {
  checkpoint::Snapshot snapshot = snapshot_of(3);
  std::swap(snapshot.parts[0].tensors[0], snapshot.parts[0].tensors[1]);
  CHECK(checkpoint::tensor_digest(snapshot.parts) == snapshot.tensors);
  std::set<std::string> digests{snapshot.tensors};
  const auto is_new = [&](const auto& change) {
    checkpoint::Snapshot changed = snapshot_of(3);
    change(changed.parts);
    return digests.insert(checkpoint::tensor_digest(changed.parts)).second;
  };
  CHECK(is_new([](auto& parts) { parts[0].file = "other.safetensors"; }));
  CHECK(is_new([](auto& parts) { parts[0].tensors[0].name = "weight"; }));
  CHECK(is_new([](auto& parts) { parts[0].tensors[0].dtype = "I32"; }));
  CHECK(is_new([](auto& parts) { parts[0].tensors[0].shape = {3, 1}; }));
  CHECK(is_new([](auto& parts) { parts[0].tensors[0].bytes[5] ^= std::byte{1}; }));
  CHECK(is_new([](auto& parts) { parts[0].tensors.pop_back(); }));
}

}  // namespace knead::tests
