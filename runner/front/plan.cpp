#include "runner/front/engine.h"
#include "runner/front/verb.h"

namespace knead::front {

Exit plan(const Arguments& arguments) {
  // Signals are held before the recipe is read, so that none is lost until the engine runs.
  const launch::HeldSignals signals;
  std::vector<std::string> options;
  if (arguments.has("format")) options.push_back("--format=" + arguments.options.at("format"));
  return run_engine(call_of_engine("plan", arguments, options).words, signals);
}

}  // namespace knead::front
