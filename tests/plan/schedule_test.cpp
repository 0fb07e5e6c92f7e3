#include "runner/plan/schedule.h"

#include <cmath>
#include <fstream>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runner/plan/resolve.h"
#include "schema/document/error.h"
#include "schema/load.h"

using namespace knead;
using nlohmann::json;
using plan::Schedule;

namespace {

constexpr schema::Epoch kEpoch{1500, 32, false, 0};  // 47 steps

/// The schedule that a recipe says, for a run of so many steps; JSON is YAML too.
Schedule schedule_of(const std::string& said, std::uint64_t steps = 940) {
  const std::string file = KNEAD_ROOT "/tests/end_to_end/recipes/digits.yaml";
  auto recipe =
      schema::load(file,
                   {"schedule=" + said, "train.until=" + std::to_string(steps) + " steps",
                    "data.train.rows=[0, 1500]", "data.validation={like: train, hold_out: 10%}"},
                   schema::this_world())
          .recipe;
  plan::resolve(recipe, {1, false, "/"});
  return {recipe.schedule, kEpoch, static_cast<double>(steps), "validation/loss"};
}

json recorded() {
  std::ifstream file(KNEAD_ROOT "/tests/fixtures/training/schedules.json");
  return json::parse(file);
}

/// Every factor of a schedule against a closed form of the step.
template <class Form>
void expect_form(const std::string& said, Form form) {
  INFO(said);
  const Schedule schedule = schedule_of(said);
  for (std::uint64_t step = 0; step < 1000; ++step) {
    INFO("step " << step);
    REQUIRE(schedule.factor(step) ==
            Approx(form(static_cast<double>(step))).epsilon(1e-13).margin(1e-15));
  }
}

std::string refused(const std::string& said, std::uint64_t steps = 940) {
  try {
    schedule_of(said, steps);
  } catch (const schema::InvalidRecipe&) {
    return "lint";
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("schedules are those of torch.optim.lr_scheduler") {
  const json all = recorded();
  REQUIRE(all.at("schedules").size() >= 14);
  for (const json& each : all.at("schedules")) {
    INFO(each.at("recipe"));
    const Schedule schedule = schedule_of(each.at("recipe").dump(), all.at("steps"));
    const auto factors = each.at("factors").get<std::vector<double>>();
    for (std::size_t step = 0; step < factors.size(); ++step) {
      INFO("step " << step);
      CHECK(schedule.factor(step) == Approx(factors[step]).epsilon(1e-12).margin(1e-15));
    }
  }
}

TEST_CASE("a plateau is torch's, whose patience is one less") {
  const json cases = recorded().at("plateau");
  REQUIRE(cases.size() == 3);
  for (const json& each : cases) {
    INFO(each.at("recipe"));
    const Schedule schedule = schedule_of(each.at("recipe").dump());
    plan::Evaluations seen;
    CHECK(schedule.factor_of(seen) == 1);
    for (std::size_t i = 0; i < each.at("losses").size(); ++i) {
      const double loss = std::stod(each.at("losses")[i].get<std::string>());
      seen.push_back({10 * (i + 1), "validation", {{"loss", loss}}, 0.1});
      seen.push_back({10 * (i + 1), "test", {{"loss", -1.0 * static_cast<double>(i)}}, 0.1});
      CHECK(schedule.factor_of(seen) == Approx(each.at("factors")[i].get<double>()).epsilon(1e-12));
    }
    CHECK(schedule.factor(500) == 1);
  }
}

TEST_CASE("only a plateau looks at evaluations") {
  const plan::Evaluations worse = {{1, "validation", {{"loss", 1}}, 0},
                                   {2, "validation", {{"loss", 2}}, 0},
                                   {3, "validation", {{"loss", 3}}, 0},
                                   {4, "validation", {{"loss", 4}}, 0}};
  CHECK(schedule_of("cosine").factor_of(worse) == 1);
  CHECK(schedule_of("plateau").factor_of(worse) == Approx(0.1));
}

TEST_CASE("a warm-up rises linearly and never begins with nothing") {
  const Schedule schedule = schedule_of("{type: constant, warmup: 100 steps}");
  CHECK(schedule.factor(0) == 0.01);
  CHECK(schedule.factor(49) == 0.5);
  CHECK(schedule.factor(99) == 1.0);
  CHECK(schedule.factor(100) == 1.0);
  CHECK(schedule.factor(5000) == 1.0);
}

TEST_CASE("schedules follow their closed forms and stay at their last factor") {
  const auto part = [](double step, double begin, double length) {
    return std::min(1.0, (step - begin) / length);
  };
  const auto risen = [](double step, double form) { return step < 40 ? (step + 1) / 40 : form; };
  expect_form("{type: cosine, min_factor: 0.1}",
              [&](double s) { return 0.1 + 0.9 * 0.5 * (1 + std::cos(M_PI * part(s, 0, 940))); });
  expect_form("{type: linear, min_factor: 0.2, warmup: 40 steps}",
              [&](double s) { return risen(s, 1 - 0.8 * part(s, 40, 900)); });
  expect_form("{type: polynomial, power: 3, warmup: 40 steps, over: 10 epochs}",
              [&](double s) { return risen(s, std::pow(1 - part(s, 40, 430), 3)); });
  expect_form("{type: exponential, gamma: 0.8, warmup: 40 steps, min_factor: 0.05}",
              [&](double s) { return risen(s, std::max(0.05, std::pow(0.8, (s - 40) / 47))); });
  expect_form("{type: step, every: 5 epochs, warmup: 40 steps}",
              [&](double s) { return risen(s, std::pow(0.1, std::floor(s / 235))); });
  expect_form("{type: multistep, milestones: [50%, 700 steps, 18 epochs], gamma: 0.5}",
              [&](double s) {
                return s < 470 ? 1 : s < 700 ? 0.5 : s < 846 ? 0.25 : 0.125;
              });
  expect_form("{type: inverse_sqrt, warmup: 40 steps}",
              [&](double s) { return risen(s, std::sqrt(40 / s)); });
  expect_form("inverse_sqrt", [&](double s) { return 1 / std::sqrt(1 + s); });
  expect_form("{type: wsd, warmup: 40 steps, min_factor: 0.1}",
              [&](double s) { return risen(s, s < 752 ? 1 : 1 - 0.9 * part(s, 752, 188)); });
  expect_form("{type: wsd, decay: 100 steps, shape: sqrt}",
              [&](double s) { return s < 840 ? 1 : 1 - std::sqrt(part(s, 840, 100)); });
  expect_form("{type: wsd, decay: 100%, shape: cosine}",
              [&](double s) { return 0.5 * (1 + std::cos(M_PI * part(s, 0, 940))); });
}

TEST_CASE("other schedules are phases with a name") {
  const auto same = [](const std::string& said, const std::string& phases) {
    const Schedule one = schedule_of(said), other = schedule_of("{type: phases, " + phases + "}");
    for (std::uint64_t step = 0; step < 1000; ++step) {
      INFO(said << " step " << step);
      REQUIRE(one.factor(step) == Approx(other.factor(step)).epsilon(1e-13).margin(1e-15));
    }
  };
  const std::string rise = "{shape: linear, for: 40 steps, from: 0, to: 1}";
  same("{type: constant, warmup: 40 steps}", "phases: [" + rise + ", {shape: constant}]");
  same("{type: cosine, warmup: 40 steps, min_factor: 0.1}",
       "phases: [" + rise + ", {shape: cosine, to: 0.1}]");
  same("{type: linear, over: 500 steps}", "over: 500 steps, phases: [{shape: linear, to: 0}]");
  same("{type: wsd, warmup: 40 steps, decay: 25%}",
       "phases: [" + rise + ", {shape: constant, for: 665 steps}, {shape: linear, to: 0}]");
  same("{type: exponential, gamma: 0.5, per: 470 steps, min_factor: 0.25}",
       "phases: [{shape: exponential, to: 0.25}]");
}

TEST_CASE("a phase that rises is there with its last step, one that falls begins with its first") {
  const Schedule schedule = schedule_of(
      "{type: phases, phases: [{shape: linear, for: 4 steps, from: 0, to: 2}, {shape: "
      "inverse_sqrt, for: 3 steps, to: 1}, {shape: exponential, for: 2 steps, to: 0.25}, {shape: "
      "constant, from: 3}]}");
  const auto root = [](double progress) { return 2 / std::sqrt(1 + progress * 3); };
  const std::vector<double> expected = {0.5,          1, 1.5, 2, 2, root(1. / 3),
                                        root(2. / 3), 1, 0.5, 3, 3};
  std::vector<double> seen;
  for (std::uint64_t step = 0; step < expected.size(); ++step) {
    INFO("step " << step);
    CHECK(schedule.factor(step) == Approx(expected[step]));
  }
}

TEST_CASE("lengths that leave no room are refused") {
  CHECK(refused("{type: cosine, warmup: 20 epochs}") ==
        "the warm-up of 940 steps is not shorter than the 940 it leads to");
  CHECK(refused("{type: phases, phases: [{shape: linear, for: 25 epochs, to: 0}, {shape: "
                "constant}]}") ==
        "the phases of the schedule take 1175 steps, and leave none of 940 to the last one");
  CHECK(refused("{type: wsd, warmup: 11 epochs, decay: 50%}") ==
        "the warm-up and the fall of the schedule take 987 steps, and there are 940");
}

TEST_CASE("a length that is a time cannot be told in steps") {
  recipe::CosineSchedule cosine;
  cosine.min_factor = 0;
  cosine.over = schema::Quantity{3600, schema::Unit::seconds};
  CHECK_THROWS_WITH(Schedule(cosine, kEpoch, INFINITY, "validation/loss"),
                    "schedule.over 1 h cannot be told in steps");
}
