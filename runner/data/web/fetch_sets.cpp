#include "runner/data/web/fetch_sets.h"

namespace knead::data {
namespace {

void set_path(std::optional<std::filesystem::path>& path, std::filesystem::path fetched) {
  path = std::move(fetched);
}

void set_path(std::optional<std::vector<std::filesystem::path>>& paths,
              std::filesystem::path fetched) {
  paths = {std::move(fetched)};
}

void fetch_set(recipe::DataSet& set, const Say& say) {
  std::visit(
      [&](auto& kind) {
        if constexpr (requires { kind.url; }) {
          if (kind.url)
            set_path(kind.path, fetch({*kind.url, kind.sha256.value()}, web_cache(), say));
        }
      },
      set);
}

}  // namespace

void fetch_sets(recipe::Data& data, const Say& say) {
  fetch_set(data.train, say);
  if (data.validation) fetch_set(*data.validation, say);
  if (data.test) fetch_set(*data.test, say);
}

}  // namespace knead::data
