#include "runner/front/engine.h"
#include "runner/front/verb.h"

namespace knead::front {

Exit export_verb(const Arguments& arguments) {
  const std::string example = "for example: " + find_verb("export")->example;
  if (arguments.files.size() != 2 || !arguments.overrides.empty())
    throw Error("'export' takes the folder of a run and the file to write", example,
                Exit::invalid_recipe);
  if (!arguments.has("to"))
    throw Error("'export' needs --to torchscript, safetensors or torch", example,
                Exit::invalid_recipe);
  // No override is passed on: exported weights are those of the run as it was trained.
  const launch::HeldSignals signals;
  return run_engine({"export", "--to=" + arguments.options.at("to"), "--out=" + arguments.files[1],
                     "--", arguments.files[0]},
                    signals);
}

}  // namespace knead::front
