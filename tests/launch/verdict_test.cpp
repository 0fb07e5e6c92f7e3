#include "runner/launch/verdict.h"

#include <csignal>

#include <catch2/catch.hpp>

using namespace knead;
using namespace knead::launch;

namespace {

RankEnd code(int rank, int number, int moment = 0) {
  RankEnd end;
  end.rank = rank;
  end.number = number;
  end.moment = moment;
  return end;
}

RankEnd by_signal(int rank, int number, int moment = 0) {
  RankEnd end = code(rank, number, moment);
  end.by_signal = true;
  return end;
}

RankEnd killed(int rank, int moment = 9) {
  RankEnd end = by_signal(rank, SIGKILL, moment);
  end.was_killed = true;
  return end;
}

Verdict judged(std::vector<RankEnd> ends, std::set<int> passed_on = {}) {
  Ending ending;
  ending.ends = std::move(ends);
  ending.passed_on = std::move(passed_on);
  return judge(ending);
}

}  // namespace

TEST_CASE("good ends: the exit code is that of rank 0") {
  for (const int good : {0, 4, 75}) {
    const Verdict verdict = judged({code(1, 0), code(0, good), code(2, 75)});
    CHECK(static_cast<int>(verdict.code) == good);
    CHECK(verdict.message.empty());
  }
  const Verdict left = judged({code(0, 0), killed(1), killed(3), code(2, 0), killed(4)});
  CHECK(left.code == Exit::done);
  CHECK(left.message == "rank 1, rank 3 and rank 4 did not end after rank 0, and had to be killed");
}

TEST_CASE("one rank: as its end says") {
  CHECK(judged({code(0, 0)}).code == Exit::done);
  for (const int documented : {1, 2, 3, 5, 6, 7, 130}) {
    CHECK(static_cast<int>(judged({code(0, documented)}).code) == documented);
    CHECK(judged({code(0, documented)}).message.empty());
  }
  const Verdict lost = judged({by_signal(0, SIGKILL)});
  CHECK(lost.code == Exit::rank_lost);
  CHECK(lost.message == "rank 0 was ended by SIGKILL");
  CHECK(lost.remedy == "SIGKILL is mostly the kernel's out-of-memory killer; see its log");
  CHECK(judged({by_signal(0, SIGSEGV)}).remedy ==
        "please report it, with the recipe, its model and what 'knead env' prints");
  CHECK(judged({by_signal(0, SIGTERM)}).remedy.empty());
  RankEnd reading = by_signal(0, SIGSEGV);
  reading.reading = "models/net.pt";
  const Verdict crashed = judged({reading});
  CHECK(crashed.code == Exit::not_usable);
  CHECK(crashed.message == "knead-engine crashed while it read models/net.pt (SIGSEGV)");
  reading.number = SIGKILL;  // does not say that the file is wrong
  CHECK(judged({reading}).code == Exit::rank_lost);
  CHECK(judged({by_signal(0, 34)}).message == "rank 0 was ended by signal 34");
  CHECK(judged({code(0, 200)}).message == "knead-engine ended with code 200");
  CHECK(judged({code(0, 200)}).code == Exit::internal_error);
  const Verdict unloaded = judged({code(0, 127)});
  CHECK(unloaded.code == Exit::not_usable);
  CHECK(unloaded.remedy == "what is missing stands above; build or install knead again");
}

TEST_CASE("a failure says how far its rank was") {
  const auto after = [](RankEnd end) {
    end.step = 120;
    return judged({end, code(0, 6, 1)}).message;
  };
  CHECK(after(by_signal(1, SIGSEGV)) == "rank 1 was ended by SIGSEGV after step 120");
  CHECK(after(code(1, 200)) == "knead-engine ended with code 200, as rank 1 after step 120");
  CHECK(after(code(1, 3)) == "rank 1 ended with code 3 after step 120");
}

TEST_CASE("the first failure is the cause") {
  CHECK(judged({by_signal(2, SIGSEGV, 0), by_signal(1, SIGABRT, 1)}).message ==
        "rank 2 was ended by SIGSEGV");
  CHECK(judged({code(0, 0, 0), code(2, 3, 1), code(1, 5, 2)}).code == Exit::not_usable);
}

TEST_CASE("a rank that lost another is the cause only if nothing else failed") {
  CHECK(judged({code(0, 6, 0), code(1, 6, 0), by_signal(2, SIGBUS, 5)}).message ==
        "rank 2 was ended by SIGBUS");
  CHECK(judged({code(0, 6, 0), code(1, 5, 5)}).code == Exit::training_failed);
  const Verdict all = judged({code(2, 6, 0), code(0, 6, 1), code(1, 6, 2)});
  CHECK(all.code == Exit::rank_lost);
  CHECK(all.message.empty());  // rank 0 has said it
  CHECK(judged({code(2, 6, 0), killed(0), killed(1)}).message ==
        "rank 2 ended with code 6; rank 0 and rank 1 hung, and had to be killed");
}

TEST_CASE("a rank that leaves it to the launcher what became of another is heard last") {
  const RankEnd quiet = code(0, 106, 0);
  CHECK(judged({quiet, by_signal(1, SIGKILL, 5)}).message == "rank 1 was ended by SIGKILL");
  CHECK(judged({quiet, code(1, 106, 0), code(2, 3, 5)}).message == "rank 2 ended with code 3");
  const Verdict all = judged({code(1, 106, 0), code(0, 106, 1)});
  CHECK(all.code == Exit::rank_lost);
  CHECK(all.message == "rank 0 has lost the connection to another rank");
  CHECK(all.remedy == "the rank that ended first says why; a run goes on from its last checkpoint");
  CHECK(judged({quiet, killed(1)}).message ==
        "rank 0 has lost the connection to another rank; rank 1 hung, and had to be killed");
}

TEST_CASE("of ends at the same moment the most telling is the cause") {
  const RankEnd documented = code(0, 3), unknown = code(1, 200), signal = by_signal(2, SIGSEGV);
  CHECK(judged({documented, unknown, signal}).message == "rank 2 was ended by SIGSEGV");
  CHECK(judged({documented, unknown}).message == "knead-engine ended with code 200, as rank 1");
  CHECK(judged({code(2, 3), code(1, 5)}).message == "rank 1 ended with code 5");
}

TEST_CASE("rank 0 stands for ranks with its documented code") {
  CHECK(judged({code(1, 3, 0), code(0, 3, 1)}).message.empty());
  CHECK(judged({code(1, 3, 0), code(0, 5, 1)}).message == "rank 1 ended with code 3");
}

TEST_CASE("the last lines of the cause are shown with its number") {
  RankEnd end = code(2, 3);
  end.last_lines = {"knead: no such file", "     = mount it"};
  RankEnd other = code(1, 6);
  other.last_lines = {"lost"};
  const Verdict verdict = judged({killed(0), other, end});
  CHECK(verdict.lines ==
        std::vector<std::string>{"  rank 2: knead: no such file", "  rank 2:      = mount it"});
  CHECK(verdict.message == "rank 2 ended with code 3");
}

TEST_CASE("ranks that the launcher killed are no cause") {
  CHECK(judged({killed(0), killed(1), by_signal(2, SIGFPE, 10)}).message ==
        "rank 2 was ended by SIGFPE");
}

TEST_CASE("a stop signal that ranks could not take is a stop") {
  const std::set<int> terminated{SIGTERM};
  CHECK(judged({by_signal(0, SIGTERM)}, terminated).code == Exit::stopped);
  CHECK(judged({by_signal(0, SIGTERM)}).code == Exit::rank_lost);
  const Verdict stopped = judged({code(0, 6), by_signal(1, SIGTERM, 1), killed(2)}, terminated);
  CHECK(stopped.code == Exit::stopped);
  CHECK(stopped.message == "stopped before the run could take the signal");
  CHECK(judged({code(0, 75), by_signal(1, SIGTERM)}, terminated).code == Exit::stopped);
  CHECK(judged({by_signal(1, SIGTERM), by_signal(0, SIGSEGV, 1)}, terminated).message ==
        "rank 0 was ended by SIGSEGV");
  CHECK(judged({code(0, 75), by_signal(1, SIGKILL)}, terminated).code == Exit::rank_lost);
}

TEST_CASE("a second SIGINT says all") {
  Ending ending;
  ending.ends = {killed(0), by_signal(1, SIGSEGV)};
  ending.interrupted = true;
  CHECK(judge(ending).code == Exit::interrupted);
  CHECK(judge(ending).message == "interrupted twice: ended at once");
}
