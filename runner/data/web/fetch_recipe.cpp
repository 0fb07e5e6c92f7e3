#include "runner/data/web/fetch_recipe.h"

namespace knead::data {
namespace {

void set_path(std::optional<std::filesystem::path>& path, std::filesystem::path fetched) {
  path = std::move(fetched);
}

void set_path(std::optional<std::vector<std::filesystem::path>>& paths,
              std::filesystem::path fetched) {
  paths = {std::move(fetched)};
}

/// Fetches the file of a block that has the keys url and sha256, and sets its path.
template <class Block, class Path>
void fetch_file(const Block& block, Path& path, const Say& say) {
  if (block.url) set_path(path, fetch({*block.url, block.sha256.value()}, web_cache(), say));
}

template <class Kind>
void fetch_kind(Kind& kind, const Say& say) {
  // Looks for keys and not for kinds, so that a kind of data set with a URL needs no line here.
  if constexpr (requires { kind.url; }) fetch_file(kind, kind.path, say);
  if constexpr (requires { kind.tokenizer; }) {
    if (auto* bpe = std::get_if<recipe::BpeTokenizer>(&kind.tokenizer))
      fetch_file(*bpe, bpe->file, say);
  }
  if constexpr (requires { kind.fields.begin()->second.url; }) {
    for (auto& [name, field] : kind.fields) fetch_file(field, field.path, say);
  }
  if constexpr (requires { kind.of; }) {
    for (recipe::MixMember& member : kind.of)
      std::visit([&](auto& one) { fetch_kind(one, say); }, member);
  }
}

}  // namespace

void fetch_recipe(recipe::Recipe& recipe, const Say& say) {
  recipe::Data& data = recipe.data;
  for (recipe::DataSet* set : {&data.train, data.validation ? &*data.validation : nullptr,
                               data.test ? &*data.test : nullptr}) {
    if (set) std::visit([&](auto& kind) { fetch_kind(kind, say); }, *set);
  }
  fetch_file(recipe.model, recipe.model.archive, say);
}

}  // namespace knead::data
