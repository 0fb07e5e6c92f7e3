#include "runner/engine/profile/profile.h"

#include <fstream>
#include <map>
#include <set>

#include "runner/engine/device/start.h"
#include "runner/engine/job/job.h"
#include "tests/engine/train/short_run.h"
#include "tests/folder.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

using namespace knead;
using namespace knead::engine;
using nlohmann::json;

namespace {

json trace_in(const std::filesystem::path& folder, const std::string& name) {
  std::ifstream in(folder / "profile" / name);
  REQUIRE(in);
  return json::parse(in);
}

std::vector<json> spans_of(const json& trace) {
  std::vector<json> spans;
  for (const json& event : trace.at("traceEvents")) {
    if (event.at("ph") == "X") spans.push_back(event);
  }
  return spans;
}

/// By the names of threads.
std::map<std::string, std::set<std::string>> tracks_of(const json& trace) {
  std::map<int, std::string> threads;
  std::map<std::string, std::set<std::string>> tracks;
  for (const json& event : trace.at("traceEvents")) {
    if (event.at("name") == "thread_name") threads[event.at("tid")] = event.at("args").at("name");
    if (event.at("ph") == "X") tracks[threads.at(event.at("tid"))].insert(event.at("name"));
  }
  return tracks;
}

std::set<std::string> names_of(const std::vector<json>& spans) {
  std::set<std::string> names;
  for (const json& span : spans) names.insert(span.at("name"));
  return names;
}

double begin_of(const json& span) { return span.at("ts"); }
double end_of(const json& span) { return begin_of(span) + span.at("dur").get<double>(); }

/// Whether every span lies within the last one before it of its thread that has not ended. Times
/// were rounded to whole nanoseconds.
bool are_nested(const std::vector<json>& spans) {
  constexpr double kRounding = 1e-3;
  std::map<int, std::vector<double>> of_threads;
  for (const json& span : spans) {
    std::vector<double>& ends = of_threads[span.at("tid").get<int>()];
    while (!ends.empty() && ends.back() <= begin_of(span) + kRounding / 2) ends.pop_back();
    if (!ends.empty() && end_of(span) > ends.back() + kRounding) return false;
    ends.push_back(end_of(span));
  }
  return true;
}

recipe::Recipe profiled(const std::string& profile) {
  return short_recipe("digits", {"train.until=8 steps", "schedule=null", "profile=" + profile});
}

std::vector<std::string> files_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  if (!std::filesystem::exists(folder)) return names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST_CASE("a profile has the steps that it names, and their operators") {
  start_torch({1, true});
  const tests::Folder folder;
  train(profiled("[3, 5]"), 8, nullptr, folder.path());
  const json trace = trace_in(folder.path(), "steps-3-5.json");
  CHECK(trace.at("otherData").at("steps") == json{3, 5});
  const auto spans = spans_of(trace);
  const auto names = names_of(spans);
  for (const char* name : {"step 3", "step 4", "step 5", "data", "forward", "backward", "optimizer",
                           "aten::addmm", "AddmmBackward0", "aten::_fused_adamw_"})
    CHECK(names.count(name) == 1);
  CHECK(names.count("step 2") + names.count("step 6") == 0);
  CHECK(are_nested(spans));

  double steps = 0, parts = 0;
  for (const json& span : spans) {
    const std::string name = span.at("name");
    if (name.starts_with("step ")) steps += span.at("dur").get<double>();
    if (name == "data" || name == "forward" || name == "backward" || name == "optimizer")
      parts += span.at("dur").get<double>();
    if (name == "aten::addmm" && span.at("args").contains("Input Dims"))
      CHECK(span.at("args").at("Input Dims").at(1).size() == 2);
  }
  CHECK(parts <= steps);
  CHECK(parts > 0);
}

TEST_CASE("a profile shows readers and the writer of checkpoints beside the loop") {
  start_torch({1, true});
  const tests::Folder folder;
  train(short_recipe("digits",
                     {"train.until=8 steps", "schedule=null", "profile=[1, 8]", "data.workers=2",
                      "data.prefetch=2", "checkpoint.every=3 steps", "evaluate.every=4 steps"}),
        8, nullptr, folder.path());
  const auto tracks = tracks_of(trace_in(folder.path(), "steps-1-8.json"));
  std::set<std::string> read;
  for (const char* reader : {"reader 1", "reader 2"}) {
    const auto found = tracks.find(reader);
    if (found != tracks.end()) read.insert(found->second.begin(), found->second.end());
  }
  for (const char* name : {"batch 6", "pixels", "digit"}) CHECK(read.count(name) == 1);
  CHECK(read.count("step 3") + read.count("forward") == 0);
  CHECK(tracks.count("validation reader 1") + tracks.count("validation reader 2") > 0);
  CHECK(tracks.at("checkpoint writer").count("save step 3") == 1);
  CHECK(tracks.at("training").count("step 8") == 1);
}

TEST_CASE("a loop that reads for itself shows what it reads") {
  start_torch({1, true});
  const tests::Folder folder;
  train(short_recipe("digits",
                     {"train.until=8 steps", "schedule=null", "profile=[3, 5]", "data.workers=0"}),
        8, nullptr, folder.path());
  const auto tracks = tracks_of(trace_in(folder.path(), "steps-3-5.json"));
  for (const char* name : {"data", "batch 3", "batch 4", "batch 5", "pixels"})
    CHECK(tracks.at("training").count(name) == 1);
}

TEST_CASE("a profile changes nothing in what is computed") {
  start_torch({1, true});
  const tests::Folder with, without;
  const recipe::Recipe plain = short_recipe("digits", {"train.until=8 steps", "schedule=null"});
  const ShortRun one = train(profiled("{steps: [2, 7], memory: true}"), 8, nullptr, with.path());
  const ShortRun other = train(plain, 8, nullptr, without.path());
  CHECK(one.losses == other.losses);
  CHECK(files_in(without.path() / "profile").empty());
}

TEST_CASE("memory over time is in the profile where it is asked for") {
  start_torch({1, true});
  const tests::Folder folder;
  const recipe::Recipe recipe = profiled("{steps: [2, 3], memory: true}");
  train(recipe, 8, nullptr, folder.path());
  const json trace = trace_in(folder.path(), "steps-2-3.json");
  std::vector<std::int64_t> bytes;
  for (const json& event : trace.at("traceEvents")) {
    if (event.at("ph") == "C") bytes.push_back(event.at("args").at("bytes"));
  }
  REQUIRE(bytes.size() > 10);
  Job job = prepare(recipe);
  const auto weights = 4 * count_numbers(job.trained.model->parameters());
  CHECK(bytes.front() >= 3 * weights);  // with the two moments
  CHECK(*std::max_element(bytes.begin(), bytes.end()) >= bytes.front() + weights);  // gradients
  CHECK(std::abs(bytes.back() - bytes.front()) < weights / 2);  // and they are gone
}

TEST_CASE("a run that is stopped within the window leaves two traces") {
  start_torch({1, true});
  const tests::Folder begun, resumed;
  const recipe::Recipe recipe = profiled("[3, 6]");
  const ShortRun half = train(recipe, 4, nullptr, begun.path());
  CHECK(files_in(begun.path() / "profile") == std::vector<std::string>{"steps-3-4.json"});
  go_on(recipe, 8, half.state, begun.path(), resumed.path());
  CHECK(files_in(resumed.path() / "profile") == std::vector<std::string>{"steps-5-6.json"});
  const auto names = names_of(spans_of(trace_in(resumed.path(), "steps-5-6.json")));
  CHECK(names.count("step 5") + names.count("step 6") == 2);
  CHECK(names.count("step 4") + names.count("step 7") == 0);
}

TEST_CASE("a window that reaches beyond the run ends with it") {
  start_torch({1, true});
  const tests::Folder folder;
  train(profiled("[7, 100]"), 8, nullptr, folder.path());
  CHECK(files_in(folder.path() / "profile") == std::vector<std::string>{"steps-7-8.json"});
  const tests::Folder beyond;
  train(profiled("[50, 100]"), 8, nullptr, beyond.path());
  CHECK(files_in(beyond.path() / "profile").empty());
}

TEST_CASE("an evaluation within the window is a part of its step") {
  start_torch({1, true});
  const tests::Folder folder;
  train(short_recipe("digits", {"train.until=4 steps", "schedule=null", "evaluate.every=2 steps",
                                "profile=[2, 2]"}),
        4, nullptr, folder.path());
  const auto spans = spans_of(trace_in(folder.path(), "steps-2-2.json"));
  CHECK(names_of(spans).count("evaluation") == 1);
  CHECK(are_nested(spans));
}
