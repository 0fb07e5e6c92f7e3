#include <algorithm>
#include <array>
#include <chrono>
#include <memory>

#include "runner/board/terminal/page.h"
#include "runner/board/terminal/screen.h"
#include "runner/board/terminal/watch.h"

namespace knead::board {
namespace {

using Clock = std::chrono::steady_clock;

/// Nobody sees more frames in a second.
constexpr std::chrono::milliseconds kFrame{100};
/// Times such as "38 s left" are drawn anew though nothing has changed.
constexpr std::chrono::milliseconds kIdle{1000};

constexpr std::array kSmoothings{0.0, 0.6, 0.9, 0.99};

/// A screen of runs with its user.
class Session {
 public:
  explicit Session(const std::filesystem::path& folder) : folder_(folder) {}

  /// Returns the signal that has ended it, or 0.
  int run() {
    Screen screen;
    auto next_frame = Clock::now();
    while (true) {
      choose();
      const bool has_changed = !folder_.look().empty();
      const bool has_points = curves_ && curves_->read_on();
      is_due_ |= has_changed || has_points;
      const auto now = Clock::now();
      if (is_due_ && now >= next_frame) {
        screen.show(page(folder_, curves_.get(), view_, screen.size()));
        is_due_ = false;
        next_frame = now + kFrame;
      }
      const Screen::Events events =
          screen.wait(is_due_ ? -1 : folder_.descriptor(),
                      static_cast<int>((is_due_ ? kFrame : kIdle).count()));
      if (events.end != 0) return events.end;
      if (events.is_resized) screen.forget();
      for (const Key key : events.keys) {
        if (key == Key::quit) return 0;
        if (key == Key::redraw) screen.forget();
        press(key);
      }
      if (!events.keys.empty() || events.is_resized) next_frame = Clock::now();
      is_due_ = true;
    }
  }

 private:
  /// Sees to it that a run is chosen if there is one, and that its curves are those that are read.
  void choose() {
    const auto& runs = folder_.runs();
    const auto is_chosen = [&](const auto& run) { return run->folder() == view_.chosen; };
    if (std::none_of(runs.begin(), runs.end(), is_chosen))
      view_.chosen = runs.empty() ? std::filesystem::path() : newest()->folder();
    if (view_.chosen == drawn_) return;
    drawn_ = view_.chosen;
    curves_ = drawn_.empty() ? nullptr : std::make_unique<RunMetrics>(drawn_);
  }

  /// Returns the run that has written last, among those that are running if there are any.
  const Glance* newest() const {
    const auto& runs = folder_.runs();
    const Glance* best = runs.front().get();
    for (const auto& run : runs) {
      if (best->state() == run::RunState::running && run->state() != run::RunState::running) break;
      if (run->written() > best->written()) best = run.get();
    }
    return best;
  }

  void move(std::ptrdiff_t by) {
    const auto& runs = folder_.runs();
    const auto at = std::find_if(runs.begin(), runs.end(),
                                 [&](const auto& run) { return run->folder() == view_.chosen; }) -
                    runs.begin();
    const auto last = static_cast<std::ptrdiff_t>(runs.size()) - 1;
    if (last >= 0)
      view_.chosen =
          runs[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at + by, 0, last))]->folder();
  }

  void next_metric(bool is_forward) {
    const std::size_t count = curves_ ? curves_->metrics().size() : 0;
    if (count == 0) return;
    view_.first_metric = (view_.first_metric + (is_forward ? 1 : count - 1)) % count;
  }

  void press(Key key) {
    constexpr std::ptrdiff_t kAll = 1 << 30;
    if (view_.shows_help) {
      view_.shows_help = false;
      return;
    }
    switch (key) {
      case Key::up: return move(-1);
      case Key::down: return move(1);
      case Key::page_up: return move(-10);
      case Key::page_down: return move(10);
      case Key::first: return move(-kAll);
      case Key::last: return move(kAll);
      case Key::next_metric: return next_metric(true);
      case Key::last_metric: return next_metric(false);
      case Key::log: view_.is_log = !view_.is_log; return;
      case Key::smooth: {
        const auto now = std::find(kSmoothings.begin(), kSmoothings.end(), view_.smoothing);
        view_.smoothing = now + 1 == kSmoothings.end() ? kSmoothings[0] : *(now + 1);
        return;
      }
      case Key::help: view_.shows_help = true; return;
      default: return;
    }
  }

  WatchedFolder folder_;
  View view_;
  std::filesystem::path drawn_;  // the folder of the run that curves_ are of
  std::unique_ptr<RunMetrics> curves_;
  bool is_due_ = true;  // there is something to draw
};

}  // namespace

int watch_on_screen(const std::filesystem::path& folder) { return Session(folder).run(); }

}  // namespace knead::board
