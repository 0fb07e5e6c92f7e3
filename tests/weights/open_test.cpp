#include <catch2/catch.hpp>

#include "tests/folder.h"
#include "tests/weights/all_of.h"

using namespace knead;
using namespace knead::tests;

namespace {

std::string refusal_of(const std::string& name, const std::optional<std::string>& key = {}) {
  return refusal(kWeights, [&] { all_of(kWeights / name, key); });
}

/// What is said of a file with these bytes.
std::string refusal_of_bytes(const std::string& bytes, const std::string& name = "w.pt") {
  const Folder folder;
  write_text(folder / name, bytes);
  return refusal(folder.path(), [&] { all_of(folder / name); });
}

}  // namespace

TEST_CASE("what torch.save wrote holds what Python says is in it") {
  for (const std::string name :
       {"state_dict", "plain", "nested", "deep", "types", "views", "metadata"}) {
    INFO(name);
    const auto expected = all_of(kWeights / (name + ".safetensors"));
    CHECK(expected.size() >= 7);
    CHECK(all_of(kWeights / (name + ".pt")) == expected);
  }
}

TEST_CASE("a dict of tensors is found where there is one, and named where there are several") {
  const auto expected = all_of(kWeights / "state_dict.safetensors");
  CHECK(all_of(kWeights / "nested.pt", "model") == expected);
  CHECK(all_of(kWeights / "deep.pt", "trainer.module") == expected);
  CHECK(all_of(kWeights / "two.pt", "teacher") == expected);
  CHECK(refusal_of("two.pt") ==
        "two.pt: it holds several sets of tensors, under 'student', 'teacher'\n"
        "write model.weights.key: student");
  CHECK(refusal_of("two.pt", "model") ==
        "two.pt: it has no tensors under 'model'\nit has some under 'student', 'teacher'");
  CHECK(refusal_of("plain.pt", "model") ==
        "plain.pt: it has no tensors under 'model'\n"
        "its tensors are not within another dict: leave model.weights.key out");
  CHECK(refusal_of("plain.safetensors", "model") ==
        "plain.safetensors has no 'model': a safetensors file holds one set of tensors\n"
        "leave model.weights.key out");
}

TEST_CASE("files of torch.save's without weights are refused by what they hold") {
  const std::string save =
      "\nsave only the weights, in Python: torch.save(model.state_dict(), \"weights.pt\")";
  CHECK(refusal_of("list.pt") == "list.pt: it holds no dict of tensors" + save);
  CHECK(refusal_of("empty.pt") == "empty.pt: it holds no dict of tensors" + save);
  CHECK(refusal_of("tensor.pt") == "tensor.pt: it holds one tensor without a name" + save);
  CHECK(refusal_of("whole.pt") ==
        "whole.pt: it holds a whole Python object, torch.nn.modules.container Sequential, which "
        "only the program that defines it can make" +
            save);
  CHECK(refusal_of("sparse.pt") ==
        "sparse.pt: 'weight' is a sparse tensor\n"
        "make it an ordinary tensor and save the file again, or fetch it again");
  CHECK(refusal_of("archive.pt") ==
        "archive.pt: it is a TorchScript archive, a model with its code, not weights\n"
        "model.archive takes it whole; for its weights alone, in Python: "
        "torch.save(torch.jit.load(\"model.pt\").state_dict(), \"weights.pt\")");
  CHECK(refusal_of("old.pt") ==
        "old.pt was written by torch.save in the format before PyTorch 1.6\n"
        "save it again where PyTorch is: torch.save(torch.load(\"old.pt\"), \"new.pt\")");
}

TEST_CASE("other files are refused by what they are") {
  const Folder folder;
  const std::string convert =
      "\nconvert it with the program it is from to safetensors, or to what torch.save writes";
  CHECK(refusal_of_bytes("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n") ==
        "w.pt is a pointer of Git LFS, not the file it stands for\nrun: git lfs pull");
  const std::string page =
      "w.pt is a web page, saved in place of the file\n"
      "fetch the file itself; the page may ask to log in, or be that of the repository";
  CHECK(refusal_of_bytes("\n<!DOCTYPE html>\n<html>") == page);
  CHECK(refusal_of_bytes("<HTML><head>") == page);
  CHECK(refusal_of_bytes("") == "w.pt is empty\nfetch or write it again");
  CHECK(refusal_of_bytes(std::string(4096, '\0')) ==
        "w.pt holds only zeros: it was never written to its end\nfetch or write it again");
  CHECK(refusal_of_bytes("\x89HDF\r\n") == "w.pt is an HDF5 file, as Keras writes it" + convert);
  CHECK(refusal_of_bytes("a text, and not a short one") ==
        "w.pt is neither a safetensors file nor one of torch.save's" + convert);
  CHECK(refusal_of_bytes("\x1f\x8b\x08") == "w.pt is compressed with gzip\nunpack it: gunzip FILE");
  CHECK(refusal_of_bytes("\x80\x04\x95 a pickle") ==
        "w.pt is a pickle of Python's, but not one of torch.save's\n"
        "save it again where PyTorch is: torch.save(torch.load(\"old.pt\"), \"new.pt\")");
  CHECK(refusal(folder.path().parent_path(), [&] {
          all_of(folder.path());
        }).ends_with(" is a folder\nname a file"));
  CHECK(refusal(folder.path(), [&] { all_of(folder / "none.pt"); }) ==
        "cannot read none.pt: No such file or directory\n"
        "a path in a recipe is relative to the file that names it");
}

TEST_CASE("a file cut short is refused at every length") {
  const Folder folder;
  for (const std::string name : {"state_dict.pt", "state_dict.safetensors", "views.pt"}) {
    const std::string bytes = text_of(kWeights / name);
    std::size_t refused = 0;
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      write_text(folder / name, bytes.substr(0, length));
      refused += refusal(folder.path(), [&] { all_of(folder / name); }).starts_with(name);
    }
    CHECK(refused == bytes.size());
  }
}

TEST_CASE("a wrong bit is refused or changes nothing") {
  const Folder folder;
  const std::string name = "state_dict.pt";
  const std::string bytes = text_of(kWeights / name);
  const auto expected = all_of(kWeights / name);
  std::size_t refused = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    write_text(folder / name, changed);
    const std::string said = refusal(folder.path(), [&] {
      if (all_of(folder / name) != expected) throw std::runtime_error("other tensors");
    });
    refused += said != "no refusal";
  }
  CHECK(refused > bytes.size() / 3);
}

TEST_CASE("a checksum that was not written is not missed") {
  CHECK(all_of(kWeights / "unchecked.pt").at("weight").shape == std::vector<std::int64_t>{3});
}

TEST_CASE("a file that is written to while it is read is refused") {
  const Folder folder;
  const auto change = [&](const std::string& name, const std::string& to) {
    write_text(folder / name, text_of(kWeights / name));
    return refusal(folder.path(), [&] {
      weights::Weights file = weights::open_weights(folder / name, {});
      write_text(folder / name, to);
      for (const weights::StoredTensor& tensor : file.tensors()) file.read(tensor);
      file.check_unchanged();
    });
  };
  CHECK(change("types.safetensors", "short").starts_with("types.safetensors ends at byte "));
  const std::string longer = text_of(kWeights / "types.safetensors") + "more";
  CHECK(change("types.safetensors", longer) ==
        "types.safetensors was changed while it was read\n"
        "start again when whoever writes it is done");
}

TEST_CASE("an index brings the tensors of several files together") {
  const Folder folder;
  const auto index = [&](const std::string& map) {
    write_text(folder / "model.safetensors.index.json", "{\"weight_map\": " + map + "}");
    return folder / "model.safetensors.index.json";
  };
  for (const char* name : {"types.safetensors", "views.pt", "state_dict.pt"})
    std::filesystem::copy(kWeights / name, folder / name);
  const auto both = index(R"({"base": "views.pt", "float32": "types.safetensors"})");
  auto expected = all_of(kWeights / "types.pt");
  expected.merge(all_of(kWeights / "views.pt"));
  CHECK(all_of(both) == expected);

  const auto refused = [&](const std::string& map) {
    return refusal(folder.path(), [&] { all_of(index(map)); });
  };
  CHECK(refused(R"({"base": "../views.pt"})") ==
        "model.safetensors.index.json is no index of weights: it names a file that does not lie "
        "beside it\nfetch or write it again");
  CHECK(refused(R"({"bias": "views.pt"})") ==
        "model.safetensors.index.json says that 'bias' is in views.pt, where it is not\n"
        "fetch the files again, all of them");
  CHECK(refused("3") ==
        "model.safetensors.index.json is no index of weights: it has no weight_map\n"
        "fetch or write it again");
  std::filesystem::copy(kWeights / "views.pt", folder / "again.pt");
  CHECK(refused(R"({"base": "views.pt", "row": "again.pt"})") ==
        "views.pt and a file before it both hold 'base'\nfetch the files again, all of them");
}

TEST_CASE("tensors are laid over others of their name, under all names of theirs") {
  weights::Weights tied = weights::open_weights(kWeights / "state_dict.pt", {});
  tied.lay_over(weights::open_weights(kWeights / "averages.safetensors", {}));
  const auto averages = all_of(kWeights / "averages.safetensors");
  const auto raw = all_of(kWeights / "state_dict.pt");
  for (const weights::StoredTensor& tensor : tied.tensors()) {
    INFO(tensor.name);
    const bool is_averaged = tensor.name == "token.weight" || tensor.name == "head.weight";
    const auto& expected = is_averaged ? averages.at("token.weight") : raw.at(tensor.name);
    CHECK(tied.read(tensor).bytes == expected.bytes);
  }
}

TEST_CASE("other views of the numbers that a tensor is laid over stay") {
  const Folder folder;
  const std::string header =
      R"({"row": {"dtype": "F32", "shape": [3, 4], "data_offsets": [0, 48]}})";
  std::string size(8, '\0');
  size[0] = static_cast<char>(header.size());
  write_text(folder / "averages.safetensors", size + header + std::string(48, '\1'));
  weights::Weights views = weights::open_weights(kWeights / "views.pt", {});
  views.lay_over(weights::open_weights(folder / "averages.safetensors", {}));
  const auto raw = all_of(kWeights / "views.pt");
  for (const weights::StoredTensor& tensor : views.tensors()) {
    INFO(tensor.name);
    const bool is_replaced = tensor.name == "row";
    CHECK(tensor.shape == raw.at(tensor.name).shape);
    CHECK((views.read(tensor).bytes == raw.at(tensor.name).bytes) != is_replaced);
  }
}

TEST_CASE("a tensor whose checksum is wrong is refused however often it is read") {
  const Folder folder;
  std::string bytes = text_of(kWeights / "state_dict.pt");
  const auto number = all_of(kWeights / "state_dict.pt").at("token.weight").bytes;
  const std::string numbers(reinterpret_cast<const char*>(number.data()), number.size());
  const std::size_t at = bytes.find(numbers);
  REQUIRE(at != bytes.npos);
  bytes[at] ^= 1;
  write_text(folder / "w.pt", bytes);
  weights::Weights file = weights::open_weights(folder / "w.pt", {});
  for (const weights::StoredTensor& tensor : file.tensors()) {
    if (tensor.name != "token.weight") continue;
    for (int i = 0; i < 2; ++i)
      CHECK(refusal(folder.path(), [&] { file.read(tensor); }).starts_with("w.pt is damaged: "));
  }
}
