#pragma once

#include <memory>

#include "recipe.h"
#include "runner/track/sink.h"

namespace knead::track {

/// Returns a sink that keeps a file in the text format of Prometheus: a gauge or counter for each
/// number of the last report, a gauge for each last value of an evaluation, and how the run is. The
/// label `run` has the name of the run. `kind` is resolved.
std::unique_ptr<Sink> make_prometheus(const recipe::PrometheusSink& kind, const About& about,
                                      Warn warn);

/// Returns a text as the value of a label: with `\`, `"` and line ends escaped, without quotes.
std::string label_text(std::string_view text);

}  // namespace knead::track
