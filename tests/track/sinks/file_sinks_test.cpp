#include "runner/track/sink.h"

#include <sys/resource.h>

#include <csignal>
#include <cstring>

#include <catch2/catch.hpp>

#include "runner/track/sinks/crc.h"
#include "runner/track/sinks/file_sinks.h"
#include "runner/track/sinks/tensorboard.h"
#include "runner/track/sinks/wire.h"
#include "runner/track/tracker.h"
#include "tests/folder.h"

using namespace knead;
using track::About;
using track::Positions;
using track::Report;
using track::Tracker;

namespace {

/// A console that says nothing, and takes warnings down.
struct Screen {
  std::string text;
  track::Console console{{false, [] { return 80; }, [this](std::string_view more) { text += more; },
                          [] { return 0.0; }},
                         {}};
};

/// A save waits for them.
void wait_for_sinks(const Tracker& tracker) { static_cast<void>(tracker.positions()); }

Report report(std::uint64_t step) {
  return {step, 0.5, 32 * step, 1.5, 0.25, 0.001, 0.75, 12400, 0, 0};
}

plan::Evaluation evaluation(std::uint64_t step, double loss) {
  return {step, "validation", {{"loss", loss}, {"accuracy", 0.5}}, 0.25};
}

About about(const std::filesystem::path& folder, std::uint64_t step = 0) {
  return {
      folder, step, "version: 1\n", {"validation/loss", "validation/accuracy"}, {{"seed", 1.0}}};
}

std::vector<std::filesystem::path> event_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "tensorboard"))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// The events of a file, their checksums held against their bytes.
std::vector<std::string> events_in(const std::filesystem::path& path) {
  const std::string text = tests::text_of(path);
  std::vector<std::string> events;
  for (std::size_t at = 0; at < text.size();) {
    std::uint64_t size = 0;
    std::memcpy(&size, text.data() + at, sizeof size);
    events.push_back(text.substr(at + 12, size));
    CHECK(text.substr(at, size + 16) == track::event_record(events.back()));
    at += size + 16;
  }
  return events;
}

const std::string kHeader =
    "step,epoch,samples,time,train/loss,lr,gradient_norm,samples_per_second,data_wait,skipped,"
    "validation/loss,validation/accuracy\n";

}  // namespace

TEST_CASE("checksums are those of RFC 3720") {
  CHECK(track::crc32c(std::string(32, '\0')) == 0x8a9136aa);
  CHECK(track::crc32c(std::string(32, '\xff')) == 0x62a8ab43);
  CHECK(track::crc32c("123456789") == 0xe3069283);
}

TEST_CASE("messages are written as protocol buffers are") {
  CHECK(track::Wire().integer(1, 150).text() == "\x08\x96\x01");
  CHECK(track::Wire().bytes(2, "testing").text() == "\x12\x07testing");
  CHECK(track::Wire().message(3, track::Wire().integer(1, 150)).text() == "\x1a\x03\x08\x96\x01");
  CHECK(track::Wire().number(2, 1.0f).text() == std::string("\x15\x00\x00\x80\x3f", 5));
  CHECK(track::Wire().number(1, 1.0).text() == std::string("\x09\0\0\0\0\0\0\xf0\x3f", 9));
  CHECK(track::Wire().integer(1, -1).text() == "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}

TEST_CASE("csv has a row for each report and evaluation, and is cut back with the journals") {
  const tests::Folder folder;
  Screen screen;
  const std::string first = "10,0.5,320,1.5,0.25,0.001,0.75,12400,0,0,,\n";
  Positions saved;
  {
    Tracker tracker(folder.path(), "validation/loss", {}, screen.console);
    tracker.add(track::make_file_sink(recipe::CsvSink{}, about(folder.path()), {}, {}));
    tracker.report(report(10));
    saved = tracker.positions();
    tracker.evaluated(evaluation(10, 2));
    wait_for_sinks(tracker);
    CHECK(tests::text_of(folder / "metrics.csv") == kHeader + first + "10,,,,,,,,,,2,0.5\n");
  }
  Tracker tracker(folder.path(), "validation/loss", saved, screen.console);
  tracker.add(track::make_file_sink(recipe::CsvSink{}, about(folder.path(), 10), saved, {}));
  CHECK(tests::text_of(folder / "metrics.csv") == kHeader + first);
}

TEST_CASE("a sink that is added later is given all that was before") {
  const tests::Folder folder;
  Screen screen;
  Tracker tracker(folder.path(), "validation/loss", {}, screen.console);
  tracker.report(report(10));
  tracker.evaluated(evaluation(10, 2));
  tracker.expect_texts();
  tracker.generated({{10, 0, "a <b>", "c\nd", 3, false}});
  tracker.report(report(20));
  tracker.add(track::make_file_sink(recipe::CsvSink{}, about(folder.path()), {}, {}));
  wait_for_sinks(tracker);
  CHECK(tests::text_of(folder / "metrics.csv") ==
        kHeader + "10,0.5,320,1.5,0.25,0.001,0.75,12400,0,0,,\n" + "10,,,,,,,,,,2,0.5\n" +
            "20,0.5,640,1.5,0.25,0.001,0.75,12400,0,0,,\n");
  tracker.add(track::make_file_sink(recipe::TensorBoardSink{}, about(folder.path()), {}, {}));
  wait_for_sinks(tracker);
  const auto files = event_files(folder.path());
  REQUIRE(files.size() == 1);
  // Version, recipe; two reports, an evaluation, a text.
  const auto events = events_in(files[0]);
  REQUIRE(events.size() == 2 + 4);
  CHECK(events[4].find("generated/1") != std::string::npos);
  CHECK(events[4].find("**a &lt;b>**\n\n    c\n    d") != std::string::npos);
}

TEST_CASE("each start has an event file of its own, that takes later steps back") {
  const tests::Folder folder;
  const auto start = [&](std::uint64_t step) {
    track::make_file_sink(recipe::TensorBoardSink{}, about(folder.path(), step), {}, {})
        ->evaluated(evaluation(step + 10, 1));
  };
  start(0);
  start(10);
  const auto files = event_files(folder.path());
  REQUIRE(files.size() == 2);
  CHECK(events_in(files[0]).size() == 3);
  const auto again = events_in(files[1]);
  REQUIRE(again.size() == 4);
  CHECK(again[0].find("brain.Event:2") != std::string::npos);
  CHECK(again[1].substr(9) ==
        std::string("\x10\x0b\x3a\x02\x08\x01"));  // step 11, SessionLog.START
}

TEST_CASE("a sink that cannot be written to warns once") {
  const tests::Folder folder;
  std::vector<std::string> warnings;
  const auto sink =
      track::make_file_sink(recipe::CsvSink{}, about(folder.path()), {},
                            [&](const std::string& text) { warnings.push_back(text); });
  rlimit room{};
  ::getrlimit(RLIMIT_FSIZE, &room);
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit full{0, room.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &full);
  sink->report(report(10));
  sink->report(report(20));
  Positions positions;
  sink->add_positions(positions);
  ::setrlimit(RLIMIT_FSIZE, &room);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].ends_with("metrics.csv: File too large; the run goes on, and its lines wait"));
}
