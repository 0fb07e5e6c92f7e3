#include "runner/engine/verbs/serve.h"

#include <charconv>

#include "runner/data/sets/kept.h"
#include "runner/engine/verbs/call.h"
#include "runner/engine/verbs/warm_up.h"
#include "runner/launch/serve_calls.h"
#include "schema/document/error.h"
#include "schema/load.h"

namespace knead::engine {
namespace {

/// Reads the data of a call, so that it and those after it find them in memory. What is wrong with
/// them the call itself says.
void read_ahead(const std::vector<std::string>& words) {
  try {
    const Call call = read_call(words);
    if (call.verb != "run") return;
    schema::Understood read = schema::load(call.file, call.overrides, schema::this_world());
    data::keep_sets(read.recipe.data, static_cast<std::uint64_t>(read.recipe.seed));
  } catch (const std::exception&) {
  }
}

}  // namespace

std::vector<std::string> serve(const std::vector<std::string>& words) {
  int socket = -1;
  if (words.size() == 2)
    std::from_chars(words[1].data(), words[1].data() + words[1].size(), socket);
  if (socket < 0)
    throw Error("serve needs a socket", "knead-engine is started by knead: 'knead help'",
                Exit::invalid_recipe);
  warm_up();
  return launch::serve_calls(socket, read_ahead);
}

}  // namespace knead::engine
