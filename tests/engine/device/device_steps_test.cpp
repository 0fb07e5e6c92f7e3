#include <fstream>
#include <map>
#include <set>

#include "runner/engine/batch/feed.h"
#include "runner/engine/device/start.h"
#include "runner/engine/job/job.h"

#include "tests/engine/device/on_devices.h"  // behind LibTorch

using namespace knead;
using namespace knead::engine;

namespace {

constexpr int kOfStep1 = 72, kOfStep3 = 74;  // rows in each epoch's first and last step

/// The data of diabetes; the target of one row is so large that its square is infinite.
std::filesystem::path with_overflow(int bad, const std::filesystem::path& folder) {
  std::ifstream from(KNEAD_ROOT "/recipes/data/diabetes.csv");
  const std::filesystem::path path = folder / "overflow.csv";
  std::ofstream to(path);
  std::string line;
  for (int row = -1; std::getline(from, line); ++row)
    to << (row == bad ? line.substr(0, line.rfind(',')) + ",1e30" : line) << "\n";
  return path;
}

/// The tensors of the newest checkpoint that a run saved, by their paths.
std::map<std::string, std::string> last_saved_in(const std::filesystem::path& folder) {
  std::set<std::filesystem::path> checkpoints;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "checkpoints"))
    checkpoints.insert(entry.path());
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(*checkpoints.rbegin())) {
    if (entry.path().extension() != ".safetensors") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    files[entry.path().lexically_relative(folder).string()] =
        std::string(std::istreambuf_iterator<char>(in), {});
  }
  return files;
}

std::string failure_of(const std::string& name, const Overrides& overrides,
                       const std::filesystem::path& folder) {
  try {
    trained(name, overrides, folder);
  } catch (const Error& error) {
    return std::string(error.what()) + " = " + error.remedy();
  }
  return "none";
}

/// Fails here and there, and wants the same words and the same tensors in the last checkpoint.
void expect_the_same_end(const std::string& name, const Overrides& overrides) {
  INFO(name << ": " << overrides.back());
  const tests::Folder folder;
  compute_on(at::kCPU);
  const std::string here = failure_of(name, overrides, folder.path() / "here");
  compute_on_second_device();
  CHECK(failure_of(name, overrides, folder.path() / "there") == here);
  CHECK(here.find("the loss is infinite at step 3 (") == 0);
  const auto saved = last_saved_in(folder.path() / "here");
  CHECK(saved.size() >= 2);
  CHECK((last_saved_in(folder.path() / "there") == saved));  // in brackets, for it is no text
}

}  // namespace

// A device may be late: nothing that was asked for is done before something is computed.
TEST_CASE("A batch leaves its host memory only when it has been copied") {
  start_torch({1, true});
  compute_on_second_device();
  Job job = prepare(short_recipe("digits", {"data.workers=0"}));
  Feed feed(job.sets.train, job.fields, job.course.windows, job.sets.order, 0, 3, {});
  at::Tensor here;
  for (int step = 0; step < 2; ++step) {
    feed.next();
    here = feed.part(0, 32).samples.tensors[0].clone();
    const at::Tensor there = feed.part(0, 32).samples.copies[0];
    feed.send_next();
    CHECK(there.add(0).cpu().equal(here));
  }
}

// What an update came to is heard when the next has begun on its batch norm's statistics.
TEST_CASE("An update that is left out leaves nothing behind on another device") {
  start_torch({1, true});
  const tests::Folder folder;
  const auto with = [&](int bad, const std::string& optimizer, const Overrides& more) {
    const std::string data = "data.train.path=" + with_overflow(bad, folder.path()).string();
    // Reports would ask what each update came to, before the next begins.
    const Overrides unasked{"clip=null", "track.every=100 steps", data, "optimizer=" + optimizer};
    return joined(unasked, more);
  };
  for (const char* optimizer : {"{type: sgd, lr: 0.02, momentum: 0.9}", "{type: adamw, lr: 0.01}",
                                "{type: rmsprop, lr: 0.01}"}) {
    const Overrides skip{"non_finite={action: skip}"};
    expect_the_same("diabetes", with(kOfStep1, optimizer, skip));
    expect_the_same("diabetes", with(kOfStep3, optimizer, skip));
    expect_the_same("diabetes", with(kOfStep3, optimizer, joined(skip, {"average.type=ema"})));
    expect_the_same_end("diabetes", with(kOfStep3, optimizer, {}));
  }
}

TEST_CASE(
    "A step does not wait for the device, where its optimizer has a kernel that needs no word") {
  start_torch({1, true});
  const tests::Folder folder;
  compute_on_second_device();
  const auto reads_of = [&](std::uint64_t steps, const std::string& every, const Overrides& more) {
    Overrides overrides{"checkpoint.every=100 steps", "data.validation=null", "evaluate=null",
                        "track.every=" + every, "train=" + std::to_string(steps) + " steps"};
    const recipe::Recipe recipe = short_recipe("digits", joined(overrides, more));
    const std::int64_t before = times_read();
    train(recipe, steps, nullptr, folder.path() / std::to_string(before) / std::to_string(steps));
    return times_read() - before;
  };
  const auto reads_of_a_step = [&](const std::string& every, const Overrides& more) {
    return reads_of(6, every, more) - reads_of(5, every, more);
  };
  for (const char* micro : {"32", "8"}) {
    const Overrides cut{std::string("batch.micro=") + micro};
    CHECK(reads_of_a_step("100 steps", cut) == 0);
    CHECK(reads_of_a_step("1 step", cut) == 1);
    CHECK(reads_of_a_step("100 steps", joined(cut, {"clip=0.1"})) == 0);
    CHECK(reads_of_a_step("100 steps", joined(cut, {"optimizer={type: sgd, lr: 0.1}"})) == 0);
  }
  CHECK(reads_of_a_step("100 steps", {"optimizer={type: rmsprop, lr: 0.01}"}) == 2);
}
