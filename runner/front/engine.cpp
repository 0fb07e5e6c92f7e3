#include "runner/front/engine.h"

#include <cstdio>
#include <cstdlib>

#include "runner/files/digest.h"
#include "runner/front/check_model.h"
#include "runner/front/terminal.h"
#include "runner/front/verb.h"
#include "schema/load.h"
#include "schema/problem_text.h"
#include "schema/render.h"

namespace knead::front {

std::filesystem::path engine_program() {
  if (const char* named = std::getenv("KNEAD_ENGINE"); named && *named) return named;
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "knead-engine";
}

Exit run_engine(const std::vector<std::string>& words, const launch::HeldSignals& signals) {
  const launch::Verdict verdict =
      launch::judge(launch::supervise({engine_program(), words}, signals));
  if (verdict.message.empty()) return verdict.code;
  // An engine that was killed leaves its progress line behind.
  if (wants_colour(2)) std::fputs("\r\033[K", stderr);
  complain(verdict.message, verdict.remedy);
  return verdict.code;
}

std::vector<std::string> words_for_engine(const std::string& verb, const Arguments& arguments,
                                          const std::vector<std::string>& options) {
  const std::string file = only_file(*find_verb(verb), arguments);
  const schema::World world = schema::this_world();
  const schema::Understood understood = schema::load(file, arguments.overrides, world);
  std::fputs(schema::to_text(understood.warnings, wants_colour(2)).c_str(), stderr);
  require_model(understood, world);
  std::vector<std::string> words{verb, file,
                                 "--digest=" + files::digest(schema::render(understood.tree))};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back("--");
  words.insert(words.end(), arguments.overrides.begin(), arguments.overrides.end());
  return words;
}

}  // namespace knead::front
