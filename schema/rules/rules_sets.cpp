#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schema/document/suggest.h"
#include "schema/rules/rule_list.h"
#include "schema/rules/set_fields.h"

namespace knead::schema {
namespace {

/// A block that names a file by a path, or by url and sha256.
struct NamedFile {
  std::string block;    // "data.train"
  std::string key;      // the name of the path's key
  std::string example;  // of a path
};

/// Requires either a path or a url with sha256.
void check_file(const RuleView& recipe, const NamedFile& file) {
  const std::string url = file.block + ".url";
  const std::string path = fmt::format("{}.{}", file.block, file.key);
  const std::string sha256 = file.block + ".sha256";
  if (recipe.find(url) && recipe.find(path)) {
    recipe.error("not-together", recipe.key_place(url),
                 fmt::format("{} has both 'url' and {}", file.block, recipe.reference(path)),
                 "keep one of them");
  } else if (recipe.is_absent(url) && recipe.is_absent(path)) {
    const std::string hint =
        fmt::format("for example '{}: {}', or 'url' with 'sha256'", file.key, file.example);
    // A null that removed the path is the mistake, wherever the block is written.
    if (const Place removed = recipe.removed_place(path)) {
      recipe.error("missing-key", removed, fmt::format("'{}' cannot be left out", path), hint);
    } else {
      recipe.error("missing-key", recipe.key_place(file.block),
                   fmt::format("{} needs '{}'", file.block, file.key), hint);
    }
  } else if (recipe.find(url) && recipe.is_absent(sha256)) {
    recipe.error("needs-other-key", recipe.key_place(url), "'url' needs 'sha256'",
                 "what is fetched is only used if it is the right file");
  } else if (recipe.find(sha256) && recipe.is_absent(url)) {
    recipe.error("needs-other-key", recipe.key_place(sha256), "'sha256' needs 'url'",
                 "a file that is here is recognised by its content when a run is resumed");
  }
}

/// Returns an example path for the types of sets that take a path or a url, and an empty text for
/// the others.
std::string example_of(const std::string& type) {
  if (type == "csv") return "data/digits.csv";
  if (type == "npz") return "digits.npz";
  if (type == "safetensors") return "digits.safetensors";
  if (type == "jsonl") return "data/flowers.jsonl";
  if (type == "text") return "data/shakespeare.txt";
  if (type == "tokens") return "data/train.bin";
  if (type == "tar") return "shards/train-*.tar";
  return "";
}

/// Returns whether a set copies its files by `like`. If the other set lacks them, it is reported
/// there.
bool takes_its_files(const RuleView& recipe, const std::string& set) {
  return !recipe.is_absent(set + ".like") && !recipe.removed_place(set + ".path") &&
         recipe.is_absent(set + ".url") && recipe.is_absent(set + ".path");
}

void check_fields_files(const RuleView& recipe, const std::string& set) {
  const Node* fields = recipe.find(set + ".fields");
  for (const Entry& field : fields ? fields->entries : std::vector<Entry>()) {
    const std::string block = fmt::format("{}.fields.{}", set, field.key);
    if (recipe.find(block)) check_file(recipe, {block, "path", "images.npy"});
  }
}

/// The kind of the files in a tar, by the last part of their extensions.
enum class FileKind { image, number, json, array, unknown };

FileKind kind_of(std::string_view extension) {
  const std::string_view last = extension.substr(extension.rfind('.') + 1);
  if (is_one_of(last, {"jpg", "jpeg", "png"})) return FileKind::image;
  if (is_one_of(last, {"cls", "txt"})) return FileKind::number;
  if (last == "json") return FileKind::json;
  return last == "npy" ? FileKind::array : FileKind::unknown;
}

/// A key of a tar's field and the kinds of files that it applies to.
struct TarKey {
  const char* name;
  bool (*fits)(FileKind);
  const char* files;
};

constexpr std::array kTarKeys{
    TarKey{"key", [](FileKind kind) { return kind == FileKind::json; }, "json"},
    TarKey{"size", [](FileKind kind) { return kind == FileKind::image; }, "jpg and png"},
    TarKey{"channels", [](FileKind kind) { return kind == FileKind::image; }, "jpg and png"},
    TarKey{"dtype", [](FileKind kind) { return kind != FileKind::image; },
           "cls, txt, json and npy"},
    TarKey{"shape", [](FileKind kind) { return kind == FileKind::json || kind == FileKind::array; },
           "json and npy"},
    TarKey{"categories",
           [](FileKind kind) { return kind == FileKind::json || kind == FileKind::number; },
           "cls, txt and json"},
    TarKey{"scale", [](FileKind kind) { return kind == FileKind::array; }, "npy"},
    TarKey{"offset", [](FileKind kind) { return kind == FileKind::array; }, "npy"}};

void check_tar_field(const RuleView& recipe, const std::string& path) {
  const Node* extensions = recipe.find(path + ".extension");
  if (!extensions) return;
  const FileKind kind = kind_of(extensions->items[0].text);
  for (const Node& extension : extensions->items) {
    const bool is_plain =
        extension.text.find_first_of("/ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos &&
        !extension.text.starts_with('.');
    if (!is_plain) {
      return recipe.error("bad-format", extension.place,
                          fmt::format("'{}' is no extension", extension.text),
                          "what follows the first dot of a name, in small letters: jpg, seg.png");
    }
    const FileKind its = kind_of(extension.text);
    if (its == FileKind::unknown) {
      return recipe.error("unknown-choice", extension.place,
                          fmt::format("no field can be read from '{}'", extension.text),
                          "images: jpg, jpeg, png; numbers: cls, txt, json; arrays: npy");
    }
    if (its == kind) continue;
    return recipe.error("not-together", extension.place,
                        fmt::format("'{}' is read in another way than '{}'", extension.text,
                                    extensions->items[0].text),
                        "the files of a field are all images, all numbers, or all arrays");
  }
  for (const TarKey& key : kTarKeys) {
    const std::string at = fmt::format("{}.{}", path, key.name);
    const Node* written = recipe.written(at);
    // A rendered recipe writes the defaults of these keys for every kind of file.
    const bool says_nothing = written && is_one_of(written->text, {"0", "1", "3"}) &&
                              is_one_of(key.name, {"scale", "offset", "channels"});
    if (!written || says_nothing || key.fits(kind)) continue;
    recipe.error("needs-other-key", recipe.key_place(at),
                 fmt::format("'{}' is for files of {}", key.name, key.files),
                 fmt::format("'{}' reads .{}", path, extensions->items[0].text));
  }
}

void check_member(const RuleView& recipe, const std::string& member) {
  if (recipe.find(member + ".hold_out")) {
    recipe.error("not-together", recipe.key_place(member + ".hold_out"),
                 "'hold_out' does not go with a set of a mix",
                 "hold out of the whole mix, as in data.validation: {like: train, hold_out: 10%}");
  }
}

/// Reports two sets of a mix with different field names, if the recipe alone tells.
void check_fields_alike(const RuleView& recipe, const std::string& first,
                        const std::string& other) {
  auto names = field_names(recipe, first);
  auto theirs = field_names(recipe, other);
  if (!names || !theirs) return;
  std::sort(names->begin(), names->end());
  std::sort(theirs->begin(), theirs->end());
  // Labels are optional in a list of images, so its fields are not certain.
  if (*names == *theirs || recipe.text(first + ".type") == "images" ||
      recipe.text(other + ".type") == "images")
    return;
  recipe.error("mix-fields", recipe.key_place(other),
               fmt::format("{} has the fields {}, and {} {}", other, fmt::join(*theirs, ", "),
                           recipe.reference(first), fmt::join(*names, ", ")),
               "the sets of a mix have the same fields");
}

void check_context_alike(const RuleView& recipe, const std::string& first,
                         const std::string& other) {
  const Node* context = recipe.find(first + ".context");
  const Node* theirs = recipe.find(other + ".context");
  if (!context || !theirs || context->integer == theirs->integer) return;
  recipe.error("mix-fields", theirs->place,
               fmt::format("{}.context is {}, and {} {}", other, theirs->integer,
                           recipe.reference(first + ".context"), context->integer),
               "the samples of a mix have the same number of tokens");
}

}  // namespace

void sets_have_files(const RuleView& recipe) {
  for (const std::string& set : all_sets(recipe)) {
    const std::string type = recipe.text(set + ".type");
    if (type == "npy" || type == "idx") check_fields_files(recipe, set);
    if (!example_of(type).empty() && !takes_its_files(recipe, set))
      check_file(recipe, {set, "path", example_of(type)});
    if (type == "text" && recipe.text(set + ".tokenizer.type") == "bpe")
      check_file(recipe, {set + ".tokenizer", "file", "data/tokenizer.json"});
  }
}

void tar_fields_can_be_read(const RuleView& recipe) {
  for (const std::string& set : all_sets(recipe)) {
    const Node* fields =
        recipe.text(set + ".type") == "tar" ? recipe.find(set + ".fields") : nullptr;
    for (const Entry& field : fields ? fields->entries : std::vector<Entry>())
      check_tar_field(recipe, fmt::format("{}.fields.{}", set, field.key));
  }
}

void sets_of_a_mix_are_alike(const RuleView& recipe) {
  for (const std::string set : {"data.train", "data.validation", "data.test"}) {
    if (recipe.text(set + ".type") != "mix") continue;
    const std::vector<std::string> parts = parts_of(recipe, set);
    if (parts == std::vector{set}) continue;  // `of` is wrong, which is reported
    for (const std::string& part : parts) {
      check_member(recipe, part);
      check_fields_alike(recipe, parts[0], part);
      check_context_alike(recipe, parts[0], part);
    }
  }
}

void weights_are_of_a_mix(const RuleView& recipe) {
  for (const std::string set : {"data.train", "data.validation", "data.test"}) {
    if (recipe.text(set + ".type") == "mix" || !recipe.find(set + ".weight")) continue;
    recipe.error("needs-other-key", recipe.key_place(set + ".weight"),
                 "'weight' is for a set of a mix",
                 "as in {type: mix, of: [{…, weight: 3}, {…, weight: 1}]}");
  }
}

void mix_is_not_sampled(const RuleView& recipe) {
  if (recipe.text("data.train.type") != "mix" || !recipe.find("data.sampler")) return;
  recipe.error("not-together", recipe.key_place("data.sampler"),
               fmt::format("'sampler' does not go with {}, a mix", recipe.reference("data.train")),
               "the weights of its sets say how often each is drawn");
}

void weights_have_a_file(const RuleView& recipe) {
  if (recipe.find("model.weights")) check_file(recipe, {"model.weights", "from", "../runs/digits"});
}

}  // namespace knead::schema
