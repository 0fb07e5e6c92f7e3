#include <cmath>
#include <cstring>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runner/track/sinks/crc.h"
#include "runner/track/sinks/dvclive.h"
#include "runner/track/sinks/prometheus.h"
#include "runner/track/sinks/rewritten_file.h"
#include "runner/track/sinks/wandb.h"
#include "tests/folder.h"

using namespace knead;
using track::About;
using track::Report;
using track::RunEnd;

namespace {

About about_digits(const std::filesystem::path& folder) {
  return {folder,
          0,
          "version: 1\n",
          {"validation/loss"},
          {{"seed", 1.0}, {"optimizer.type", std::string("adamw")}, {"optimizer.lr", 0.001}}};
}

Report report_at(std::uint64_t step, double loss = 0.25) {
  return {step, 0.5, 32 * step, 1.5, loss, 0.001, 0.75, 12400, 0, 0};
}

plan::Evaluation validation_at(std::uint64_t step, double loss) {
  return {step, "validation", {{"loss", loss}}, 0.25};
}

/// The records of a file of W&B, put together again from fragments whose checksums fit.
std::vector<std::string> wandb_records(const std::string& file) {
  REQUIRE(file.substr(0, 7) == std::string("\x3a\x57\x26\x42\xe1\xbe\x00", 7));
  std::vector<std::string> records;
  for (std::size_t at = 7; at < file.size();) {
    const std::size_t left = 32'768 - at % 32'768;
    if (left < 7) {
      CHECK(file.substr(at, left) == std::string(left, '\0'));
      at += left;
      continue;
    }
    std::uint32_t crc = 0;
    std::uint16_t size = 0;
    std::memcpy(&crc, file.data() + at, 4);
    std::memcpy(&size, file.data() + at + 4, 2);
    CHECK(crc == track::crc32_ieee(file.substr(at + 6, 1u + size)));
    CHECK(size <= left - 7);
    const char type = file[at + 6];
    if (type == 1 || type == 2) records.emplace_back();
    records.back() += file.substr(at + 7, size);
    at += 7u + size;
  }
  return records;
}

std::filesystem::path only_wandb_file(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "wandb")) {
    if (entry.path().extension() == ".wandb") files.push_back(entry.path());
  }
  REQUIRE(files.size() == 1);
  return files[0];
}

}  // namespace

TEST_CASE("checksums are those of zip and of RFC 3720") {
  CHECK(track::crc32_ieee("123456789") == 0xcbf43926);
  CHECK(track::crc32c("123456789") == 0xe3069283);
}

TEST_CASE("records of any length are cut into fragments as W&B reads them") {
  track::WandbLog log;
  std::string file = log.header();
  std::vector<std::string> records;
  // The lengths end blocks exactly, with 1 to 7 bytes left, and span several blocks.
  for (const std::size_t size :
       {32'768u - 7 - 7 - 7, 0u, 32'768u - 7 - 3, 100'000u, 5u, 32'761u, 32'755u}) {
    records.emplace_back(size, static_cast<char>('a' + records.size()));
    file += log.record(records.back());
  }
  CHECK(wandb_records(file) == records);
}

TEST_CASE("a row of W&B has the numbers of a step, and the file ends with summary and exit") {
  const tests::Folder folder;
  const auto sink =
      track::make_wandb({.project = "p", .entity = {}}, about_digits(folder.path()), {});
  sink->report(report_at(10));
  sink->evaluated(validation_at(10, 2));
  sink->report(report_at(20));
  sink->evaluated({10, "test", {{"loss", 3}}, 0});  // of the best weights, which are older
  sink->ended(RunEnd::finished);
  const auto records = wandb_records(tests::text_of(only_wandb_file(folder.path())));
  REQUIRE(records.size() == 5);  // run, two rows, summary, exit
  const auto has = [&](std::size_t record, const std::string& text) {
    return records[record].find(text) != std::string::npos;
  };
  CHECK(has(0,
            "optimizer.lr\x82\x01\x05"
            "0.001"));
  CHECK(has(1,
            "validation/loss\x82\x01\x01"
            "2"));
  CHECK(has(1,
            "_step\x82\x01\x02"
            "10"));
  CHECK(has(2,
            "test/loss\x82\x01\x01"
            "3"));
  CHECK(has(2,
            "test/step\x82\x01\x02"
            "10"));
  CHECK(has(2,
            "_step\x82\x01\x02"
            "20"));
  CHECK(has(3,
            "validation/loss\x82\x01\x01"
            "2"));
  CHECK(records[4].substr(2) == std::string("\x92\x01\x04\x08\x00\x10\x01", 7));
}

TEST_CASE("a later start writes the same file of W&B anew, and a stop leaves it without exit") {
  const tests::Folder folder;
  const About about = about_digits(folder.path());
  track::make_wandb({.project = "p", .entity = {}}, about, {})->ended(RunEnd::finished);
  const auto file = only_wandb_file(folder.path());
  tests::write_text(file.string() + ".synced", "");
  track::make_wandb({.project = "p", .entity = {}}, about, {})->ended(RunEnd::stopped);
  CHECK(only_wandb_file(folder.path()) == file);
  CHECK(!std::filesystem::exists(file.string() + ".synced"));
  CHECK(wandb_records(tests::text_of(file)).size() == 2);  // run, summary
}

TEST_CASE("DVCLive has the last numbers, tables, params, and what names them") {
  const tests::Folder folder;
  folder.write("dvclive/plots/metrics/old/x.tsv", "step\tx\n");
  const auto sink =
      track::make_dvclive({.path = folder / "dvclive"}, about_digits(folder.path()), {});
  sink->report(report_at(10));
  sink->report(report_at(20, NAN));
  sink->evaluated(validation_at(20, 2));
  sink->ended(RunEnd::finished);
  const auto text = [&](const std::string& name) {
    return tests::text_of(folder / ("dvclive/" + name));
  };
  CHECK(text("plots/metrics/train/loss.tsv") == "step\tloss\n10\t0.25\n20\tNaN\n");
  CHECK(text("plots/metrics/validation/loss.tsv") == "step\tloss\n20\t2\n");
  CHECK(!std::filesystem::exists(folder / "dvclive/plots/metrics/old"));
  CHECK(text("params.yaml") == "seed: 1\noptimizer:\n  type: adamw\n  lr: 0.001\n");
  CHECK(
      text("dvc.yaml") ==
      "params:\n- params.yaml\nmetrics:\n- metrics.json\nplots:\n- plots/metrics:\n    x: step\n");
  CHECK(
      text("metrics.json") ==
      "{\n  \"train\": {\n    \"data_wait\": 0,\n    \"epoch\": 0.5,\n    \"gradient_norm\": "
      "0.75,\n"
      "    \"loss\": NaN,\n    \"lr\": 0.001,\n    \"samples_per_second\": 12400,\n"
      "    \"skipped\": 0\n  },\n  \"validation\": {\n    \"loss\": 2\n  },\n  \"step\": 20\n}\n");
}

TEST_CASE("params stand in blocks as their names say") {
  CHECK(track::params_as_yaml({{"model.args.a", true},
                               {"model.args.b.0", 1.5},
                               {"model.args.b.1", std::string("yes")},
                               {"batch.size", 32.0}}) ==
        "model:\n  args:\n    a: true\n    b:\n      \"0\": 1.5\n      \"1\": \"yes\"\nbatch:\n"
        "  size: 32\n");
}

TEST_CASE("Prometheus has each number once, below its type, and how the run is") {
  const tests::Folder folder;
  const auto file = folder / "a/knead.prom";
  About about = about_digits(folder / R"(a "run" \)");
  const auto sink = track::make_prometheus({.path = file}, about, {});
  CHECK(tests::text_of(file).find(
            "knead_run_state{run=\"a \\\"run\\\" \\\\\",state=\"running\"} 1\n") !=
        std::string::npos);
  sink->report(report_at(10, INFINITY));
  sink->evaluated(validation_at(10, 2));
  sink->ended(RunEnd::failed);
  const std::string text = tests::text_of(file);
  const auto has = [&](const std::string& line) {
    return text.find(line + "\n") != std::string::npos;
  };
  CHECK(has("# TYPE knead_train_steps_total counter"));
  CHECK(has(R"(knead_train_steps_total{run="a \"run\" \\"} 10)"));
  CHECK(has(R"(knead_train_loss{run="a \"run\" \\"} +Inf)"));
  CHECK(has(R"(knead_run_state{run="a \"run\" \\",state="running"} 0)"));
  CHECK(has(R"(knead_run_state{run="a \"run\" \\",state="failed"} 1)"));
  CHECK(has(R"(knead_evaluation{run="a \"run\" \\",set="validation",metric="loss"} 2)"));
  CHECK((std::filesystem::status(file).permissions() & std::filesystem::perms::others_read) !=
        std::filesystem::perms::none);
}

TEST_CASE("a file that is rewritten is offered at most once in a pause, and warns once") {
  const tests::Folder folder;
  std::vector<std::string> warnings;
  const track::Warn warn = [&](const std::string& text) { warnings.push_back(text); };
  track::RewrittenFile file(folder / "f", warn, std::chrono::hours(1));
  file.offer([] { return "1"; });
  file.offer([] { return "2"; });
  CHECK(tests::text_of(folder / "f") == "1");
  file.write("3");
  CHECK(tests::text_of(folder / "f") == "3");
  folder.write("taken", "");
  track::RewrittenFile lost(folder / "taken/f", warn);
  lost.write("1");
  lost.write("2");
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].ends_with("taken/f: Not a directory; the run goes on without it"));
}
