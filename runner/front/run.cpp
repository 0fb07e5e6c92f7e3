#include <cstdio>

#include <fmt/format.h>

#include "runner/files/digest.h"
#include "runner/front/engine.h"
#include "runner/front/terminal.h"
#include "runner/front/verb.h"
#include "runner/launch/rank.h"
#include "runner/launch/surroundings.h"
#include "schema/load.h"
#include "schema/problem_text.h"
#include "schema/render.h"

namespace knead::front {
namespace {

void refuse_other_ranks(const schema::World& world) {
  const auto place = launch::find_place(world.environment);
  if (!place || place->ranks == 1) return;
  throw Error(fmt::format("{} started {} ranks, this is rank {}", place->launcher, place->ranks,
                          place->rank),
              "this version trains on one rank; start one");
}

}  // namespace

Exit run(const Arguments& arguments) {
  const launch::HeldSignals signals;
  const std::string file = only_file(*find_verb("run"), arguments);
  const schema::World world = schema::this_world();
  const schema::Understood understood = schema::load(file, arguments.overrides, world);
  std::fputs(schema::to_text(understood.warnings, wants_colour(2)).c_str(), stderr);
  refuse_other_ranks(world);

  launch::Command command{engine_program(), {"run", file}};
  command.arguments.push_back("--digest=" + files::digest(schema::render(understood.tree)));
  command.arguments.push_back("--");
  command.arguments.insert(command.arguments.end(), arguments.overrides.begin(),
                           arguments.overrides.end());
  const launch::Verdict verdict = launch::judge(launch::supervise(command, signals));
  if (!verdict.message.empty()) complain(verdict.message, verdict.remedy);
  return verdict.code;
}

}  // namespace knead::front
