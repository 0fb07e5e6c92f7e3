#include "runner/checkpoint/rank_writer.h"

#include <chrono>
#include <memory>
#include <utility>

#include "runner/trace/worker_thread.h"

namespace knead::checkpoint {

RankWriter::RankWriter(files::FileSystem& files, bool in_background)
    : files_(files), in_background_(in_background) {}

RankWriter::~RankWriter() {
  if (thread_.joinable()) thread_.join();
}

void RankWriter::start(std::filesystem::path folder, RankParts parts) {
  const auto task = std::make_shared<std::packaged_task<RankResult()>>(
      [this, folder = std::move(folder), owned = std::move(parts)]() mutable {
        const RankParts written = std::move(owned);  // freed before the result is there
        return write_parts(files_, folder, written);
      });
  result_ = task->get_future();
  if (in_background_) {
    thread_ = trace::start_thread("checkpoint writer", [task] { (*task)(); });
  } else {
    (*task)();
  }
}

bool RankWriter::is_done() const {
  return !result_.valid() || result_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

RankResult RankWriter::take() {
  RankResult result = result_.get();
  if (thread_.joinable()) thread_.join();
  return result;
}

}  // namespace knead::checkpoint
