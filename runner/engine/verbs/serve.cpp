#include "runner/engine/verbs/serve.h"

#include <charconv>
#include <memory>

#include "runner/data/sets/kept.h"
#include "runner/engine/verbs/warm_up.h"
#include "runner/launch/serve_calls.h"
#include "schema/document/error.h"
#include "schema/load.h"

namespace knead::engine {
namespace {

/// Loads the recipe of a call and reads its data, so that the call and, of the data, those after it
/// find them in memory. What is wrong with them the call itself says. Returns the recipe; nullptr
/// if it cannot be loaded or the call is no run.
std::shared_ptr<const schema::Understood> read_ahead(const std::vector<std::string>& words) {
  try {
    const Call call = read_call(words);
    if (call.verb != "run") return nullptr;
    auto loaded = std::make_shared<const schema::Understood>(
        schema::load(call.file, call.overrides, schema::this_world()));
    data::keep_sets(loaded->recipe.data, static_cast<std::uint64_t>(loaded->recipe.seed));
    return loaded;
  } catch (const std::exception&) {
    return nullptr;
  }
}

}  // namespace

Call serve(const std::vector<std::string>& words) {
  int socket = -1;
  if (words.size() == 2)
    std::from_chars(words[1].data(), words[1].data() + words[1].size(), socket);
  if (socket < 0)
    throw Error("serve needs a socket", "knead-engine is started by knead: 'knead help'",
                Exit::invalid_recipe);
  warm_up();
  std::shared_ptr<const schema::Understood> loaded;
  const auto prepare = [&loaded](const std::vector<std::string>& call) {
    loaded = nullptr;
    loaded = read_ahead(call);
  };
  Call call = read_call(launch::serve_calls(socket, prepare));
  call.loaded = std::move(loaded);
  return call;
}

}  // namespace knead::engine
