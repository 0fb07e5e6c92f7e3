#include <fmt/format.h>

#include "runner/front/engine.h"
#include "runner/front/verb.h"

namespace knead::front {

Exit export_verb(const Arguments& arguments) {
  const std::string example = "for example: " + find_verb("export")->example;
  if (arguments.files.size() != 2)
    throw Error("'export' takes the folder of a run and the file to write", example,
                Exit::invalid_recipe);
  for (const std::string& override : arguments.overrides) {
    if (!override.starts_with("export.") && !override.starts_with("export="))
      throw Error(fmt::format("'export' takes no '{}': exported weights are those of the run as it "
                              "was trained",
                              override.substr(0, override.find('='))),
                  "only keys of 'export' change what is written, such as export.max_shard",
                  Exit::invalid_recipe);
  }
  if (!arguments.has("to"))
    throw Error("'export' needs --to torchscript, safetensors or torch", example,
                Exit::invalid_recipe);
  const launch::HeldSignals signals;
  std::vector<std::string> words{"export", "--to=" + arguments.options.at("to"),
                                 "--out=" + arguments.files[1], "--", arguments.files[0]};
  words.insert(words.end(), arguments.overrides.begin(), arguments.overrides.end());
  return run_engine(words, signals);
}

}  // namespace knead::front
