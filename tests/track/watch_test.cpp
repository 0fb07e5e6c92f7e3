#include "runner/trace/watch.h"

#include <pthread.h>

#include <algorithm>
#include <latch>
#include <thread>

#include <catch2/catch.hpp>

using namespace knead;
using trace::Kind;
using trace::Span;

namespace {

std::vector<std::string> names_of(const trace::Thread& thread) {
  std::vector<std::string> names;
  for (const auto& span : thread.timeline.spans()) names.push_back(span.label());
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("spans are kept while somebody watches") {
  trace::name_thread("training");
  { const Span before("before"); }
  trace::start_watching();
  {
    const Span step(Kind::step, "step", 3);
    const Span data("data");
    trace::allocated(40);
  }
  const auto threads = trace::stop_watching();
  { const Span after("after"); }
  REQUIRE(threads.size() == 1);
  CHECK(threads[0].name == "training");
  CHECK(threads[0].handle == static_cast<std::int32_t>(pthread_self()));
  CHECK(names_of(threads[0]) == Names{"step 3", "data"});
  const auto& spans = threads[0].timeline.spans();
  CHECK(spans[1].parent == 0);
  CHECK(spans[1].allocated == 40);
  CHECK(spans[0].end >= spans[1].end);
  trace::start_watching();
  CHECK(trace::stop_watching().empty());
}

TEST_CASE("each thread has its own, the watching one first") {
  trace::name_thread("training");
  trace::start_watching();
  std::vector<std::thread> readers;
  for (int i = 10; i > 0; --i) {
    readers.emplace_back([i] {
      trace::name_thread("reader " + std::to_string(i));
      const Span span("batch", static_cast<std::uint64_t>(i));
      const Span field("pixels");
    });
  }
  for (std::thread& reader : readers) reader.join();
  { const Span data("data"); }
  const auto threads = trace::stop_watching();
  REQUIRE(threads.size() == 11);
  CHECK(threads[0].name == "training");
  CHECK(threads[1].name == "reader 1");
  CHECK(threads[10].name == "reader 10");
  CHECK(names_of(threads[10]) == Names{"batch 10", "pixels"});
  CHECK(threads[1].id != threads[2].id);
}

TEST_CASE("what has not ended with the watch ends with it") {
  std::latch begun(1), ended(1);
  trace::start_watching();
  std::thread reader([&] {
    trace::name_thread("reader");
    const Span span("batch");
    begun.count_down();
    ended.wait();
  });
  begun.wait();
  const auto threads = trace::stop_watching();
  trace::start_watching();
  ended.count_down();
  reader.join();
  REQUIRE(threads.size() == 1);
  CHECK(threads[0].timeline.spans()[0].end > threads[0].timeline.spans()[0].begin);
  CHECK(trace::stop_watching().empty());  // its end is nothing of the next watch
}

TEST_CASE("a watch may end at any time") {
  std::atomic<bool> stop = false;
  std::vector<std::thread> workers;
  for (int i = 0; i < 3; ++i) {
    workers.emplace_back([&] {
      while (!stop) {
        const Span outer("outer");
        const Span inner("inner");
      }
    });
  }
  for (int i = 0; i < 50; ++i) {
    trace::start_watching();
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    for (const trace::Thread& thread : trace::stop_watching()) {
      for (const auto& span : thread.timeline.spans()) {
        if (span.parent == trace::Timeline::kNone) continue;
        const auto& outer = thread.timeline.spans()[span.parent];
        if (span.begin < outer.begin || span.end > outer.end) FAIL("spans are not nested");
      }
    }
  }
  stop = true;
  for (std::thread& worker : workers) worker.join();
}
