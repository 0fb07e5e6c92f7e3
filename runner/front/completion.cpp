#include <filesystem>

#include <fmt/format.h>

#include "runner/front/candidates.h"
#include "runner/front/verb.h"
#include "runner/launch/clusters/shell_word.h"
#include "schema/document/standard_streams.h"

namespace knead::front {
namespace {

// Each script calls the program by its path, because `tools/knead` would build before it answers.
// zsh loads a file of its search path as the body of a function and calls it once, so the script
// for zsh ends with that call. The scripts of bash and zsh add no blank behind "batch." and
// "batch.size=", which continue.

// bash splits a word at '=', so the script removes the part up to '=' from each completion.
constexpr std::string_view kBash = R"(_knead() {{
  local line=${{COMP_LINE:0:COMP_POINT}} words word offers
  read -ra words <<<"$line"
  [[ $line != *' ' ]] || words+=('')
  word=${{words[-1]}}
  mapfile -t offers < <({0} completion words -- "${{words[@]:1}}" 2>/dev/null)
  [[ $word != *=* ]] || offers=("${{offers[@]#"${{word%%=*}}="}}")
  COMPREPLY=("${{offers[@]}}")
  [[ ${{#offers[@]}} != 1 || ${{offers[0]}} != *[.=] ]] || compopt -o nospace
}}
complete -o default -F _knead knead
)";

constexpr std::string_view kZsh = R"(#compdef knead
_knead() {{
  local -a offers goes_on
  offers=("${{(@f)$({0} completion words -- "${{(@)words[2,CURRENT]}}" 2>/dev/null)}}")
  offers=(${{offers:#}})
  goes_on=(${{(M)offers:#*[.=]}})
  offers=(${{offers:#*[.=]}})
  (( $#goes_on )) && compadd -S '' -- $goes_on
  (( $#offers )) && compadd -- $offers
  (( $#goes_on + $#offers )) || _files
}}
compdef _knead knead
[[ $funcstack[1] != _knead ]] || _knead
)";

constexpr std::string_view kFish = R"(function __knead_offers
  set --local words (commandline --current-process --tokenize --cut-at-cursor)
  {0} completion words -- $words[2..-1] (commandline --current-token --cut-at-cursor) 2>/dev/null
end
complete --command knead --arguments '(__knead_offers)'
)";

std::string script(std::string_view pattern) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  return fmt::format(fmt::runtime(pattern), launch::shell_word(program));
}

}  // namespace

Exit completion(const Arguments& arguments) {
  const std::vector<std::string>& words = arguments.words;
  const std::string shell = words.empty() ? "" : words[0];
  if (shell == "words") {  // called by the scripts
    for (const std::string& one : candidates({words.begin() + 1, words.end()})) print(one + "\n");
    return Exit::done;
  }
  if (words.size() != 1 || (shell != "bash" && shell != "zsh" && shell != "fish")) {
    throw Error("'completion' needs the shell: bash, zsh or fish",
                "for example: " + find_verb("completion")->example, Exit::invalid_recipe);
  }
  print(script(shell == "bash" ? kBash : shell == "zsh" ? kZsh : kFish));
  return Exit::done;
}

}  // namespace knead::front
