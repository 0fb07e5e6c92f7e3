#include <fmt/format.h>

#include "runner/front/verb.h"
#include "schema/document/standard_streams.h"
#include "schema/document/suggest.h"

namespace knead::front {
namespace {

constexpr std::string_view kExitCodes = R"(
exit codes:
    0  done
    1  internal error
    2  wrong usage, or an invalid recipe
    3  data, model or environment not usable
    4  an expectation failed
    5  training failed
    6  a rank was lost
    7  resume refused
   75  stopped by a signal or a time limit; can be resumed
  130  interrupted twice
)";

/// Returns an option as the usage shows it: "--to torchscript|safetensors", "--out FILE".
std::string shown_option(const Option& option) {
  const std::string name = "--" + option.name;
  if (!option.value.empty()) return name + " " + option.value;
  return option.choices.empty() ? name : fmt::format("{} {}", name, fmt::join(option.choices, "|"));
}

/// Returns a line per option. The description stands beside the option, or below a long one.
std::string option_lines(const std::vector<Option>& options) {
  // Fits most options; a longer one has its description in the line below.
  constexpr std::size_t kWidth = 24;
  std::string lines;
  for (const Option& option : options) {
    const std::string name = shown_option(option);
    const std::string gap = name.size() <= kWidth ? "" : fmt::format("\n  {:<{}}", "", kWidth);
    std::string words = option.words;
    const std::string indent(kWidth + 3, ' ');
    for (std::size_t at = words.find('\n'); at != words.npos; at = words.find('\n', at + 1))
      words.insert(at + 1, indent);
    lines += fmt::format("  {:<{}}{} {}\n", name, kWidth, gap, words);
  }
  return lines.empty() ? "" : lines + "\n";
}

}  // namespace

std::string help_text() {
  std::string out = "knead trains a model from a recipe: one YAML file.\n\nusage: knead VERB …\n\n";
  for (const Verb& verb : verbs()) out += fmt::format("  {:<10} {}\n", verb.name, verb.sentence);
  out += "\n'knead help VERB' or 'knead VERB --help' says more; 'knead --version' the version.\n";
  out += "KEY=VALUE changes a recipe for this once: knead run recipe.yaml optimizer.lr=0.01\n";
  return out + std::string(kExitCodes);
}

std::string help_text(const Verb& verb) {
  std::string out =
      fmt::format("knead {}: {}\n\nusage: knead {}", verb.name, verb.sentence, verb.name);
  for (const Option& option : verb.options)
    out +=
        option.required ? " " + shown_option(option) : fmt::format(" [{}]", shown_option(option));
  out += (verb.usage.empty() ? "" : " ") + verb.usage + "\n\n" + option_lines(verb.options);
  return out + fmt::format("example: {}\n", verb.example);
}

Exit help(const Arguments& arguments) {
  if (arguments.files.size() > 1 || !arguments.overrides.empty()) {
    throw Error("'help' takes one verb", "for example: knead help lint", Exit::invalid_recipe);
  }
  if (arguments.files.empty()) {
    print(help_text());
    return Exit::done;
  }
  print(help_text(named_verb(arguments.files[0])));
  return Exit::done;
}

}  // namespace knead::front
