#include <algorithm>

#include <fmt/format.h>

#include "schema/document/suggest.h"
#include "schema/rules/rule_list.h"
#include "schema/rules/set_fields.h"

namespace knead::schema {

void model_has_one_origin(const RuleView& recipe) {
  const bool no_source = recipe.is_absent("model.source");
  const bool no_archive = recipe.is_absent("model.archive") && recipe.is_absent("model.url");
  if (no_source && no_archive && recipe.find("model")) {
    recipe.error("missing-key", recipe.key_place("model"), "model needs 'source' or 'archive'",
                 "for example 'source: ../models/mlp.py'");
  }
  // A url names a TorchScript file too, so the rules of an archive hold for it.
  const std::string archive = recipe.find("model.url") ? "model.url" : "model.archive";
  if (!recipe.find(archive)) return;
  const char* key = archive == "model.url" ? "url" : "archive";
  for (const std::string other : {"model.source", "model.archive"}) {
    if (other == archive || !recipe.find(other)) continue;
    recipe.error("not-together", recipe.key_place(archive),
                 fmt::format("model has both '{}' and {}", key, recipe.reference(other)),
                 "keep one of them");
    return;
  }
  if (archive == "model.url" && recipe.is_absent("model.sha256")) {
    recipe.error("needs-other-key", recipe.key_place(archive), "'url' needs 'sha256'",
                 "what is fetched is only used if it is the right file");
  }
  for (const char* of_source : {"model.class", "model.args"}) {
    const Node* written = recipe.written(of_source);
    // A rendered recipe has `args: {}`, which has no effect.
    if (!written || (written->is_map() && written->entries.empty())) continue;
    recipe.error("not-together", recipe.key_place(of_source),
                 fmt::format("'{}' goes with model.source, not with {}", of_source,
                             recipe.reference(archive)),
                 "an archive is a model that was built already");
  }
}

void model_files_exist(const RuleView& recipe, const Files& files) {
  for (const char* key : {"model.source", "model.archive"}) {
    const Node* node = recipe.find(key);
    if (!node || files.exists(node->text)) continue;
    const std::string shown = recipe.shown_path(*node);
    const std::string near = nearest_file(shown, node->text, files);
    const char* home = node->place.source->is_file()
                           ? "a path is relative to the file that names it"
                           : "a path in an argument is relative to the current directory";
    recipe.error("missing-file", node->place, fmt::format("{}: there is no file '{}'", key, shown),
                 near.empty() ? home : near);
  }
}

void archives_are_pinned(const RuleView& recipe, const Files& files) {
  const Node* archive = recipe.find("model.archive");
  const bool is_only = archive && recipe.is_absent("model.source") && recipe.is_absent("model.url");
  // A file that does not exist has an error already, and a url must have its SHA-256.
  if (!is_only || !recipe.is_absent("model.sha256") || !files.exists(archive->text)) return;
  recipe.warning("not-pinned", recipe.key_place("model.archive"),
                 "model.archive has no 'sha256': whatever stands in the file is run",
                 "write 'sha256: …', which 'sha256sum FILE' prints");
}

void inputs_are_fields(const RuleView& recipe) {
  const auto known = field_names(recipe, "data.train");
  if (!known) return;
  const std::vector<std::string_view>& names = *known;
  const auto check = [&](const Node& input) {
    if (std::find(names.begin(), names.end(), input.text) != names.end()) return;
    recipe.error(
        "unknown-field", input.place, fmt::format("'{}' is no field of data.train", input.text),
        did_you_mean(input.text, names, fmt::format("its fields are {}", fmt::join(names, ", "))));
  };
  const Node* inputs = recipe.find("model.inputs");
  if (inputs) {
    for (const Node& item : inputs->items) check(item);
    for (const Entry& entry : inputs->entries) check(entry.value);
  } else if (recipe.is_absent("model.inputs") && names.size() == 1 &&
             names[0] == recipe.text("loss.target")) {
    // Without model.inputs, forward gets fields besides the target; here none is left.
    recipe.error(
        "no-input", recipe.key_place("data.train.fields"),
        fmt::format("data.train has no field for the model: '{}' is {}", names[0],
                    recipe.reference("loss.target")),
        fmt::format("add the field that forward is given, or write 'model.inputs: [{}]' if "
                    "that is what the model is to give back",
                    names[0]));
  }
}

}  // namespace knead::schema
