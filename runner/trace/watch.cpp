#include "runner/trace/watch.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>

namespace knead::trace {

/// Holds the spans of one thread. The mutex is contended only when a recording ends; otherwise just
/// the thread itself takes it.
struct Span::Watched {
  std::int64_t id = syscall(SYS_gettid);
  std::int64_t handle = static_cast<std::int32_t>(pthread_self());
  std::mutex mutex;
  std::string name;
  std::uint64_t watch = 0;  // recording that the timeline belongs to
  Timeline timeline;
};

namespace {

std::atomic<std::uint64_t> current = 0;  // number of the recording; 0: none
std::atomic<bool> full = false;

thread_local std::string own_name;

std::string system_name() {
  char name[16] = {};
  pthread_getname_np(pthread_self(), name, sizeof name);
  return name;
}

}  // namespace

/// Lists all threads that have had a span. It shares their spans, because a thread may end before
/// the recording does.
struct Threads {
  using Watched = Span::Watched;

  static Threads& all() {
    // The object is never destroyed, because threads may outlive static objects.
    static Threads& threads = *new Threads;
    return threads;
  }

  static const std::shared_ptr<Watched>& own() {
    thread_local const std::shared_ptr<Watched> thread = all().add();
    return thread;
  }

  std::shared_ptr<Watched> add() {
    const auto thread = std::make_shared<Watched>();
    const std::lock_guard lock(mutex);
    threads.push_back(thread);
    return thread;
  }

  /// Moves the spans of a thread out of a recording that ends.
  static Thread take(Watched& thread, std::uint64_t watch) {
    const std::lock_guard lock(thread.mutex);
    Thread taken{thread.name, thread.id, {}, thread.handle};
    if (thread.watch != watch) return taken;
    thread.timeline.end(0, now());
    std::swap(taken.timeline, thread.timeline);
    thread.watch = 0;
    return taken;
  }

  std::mutex mutex;
  std::uint64_t last = 0;
  std::vector<std::shared_ptr<Watched>> threads;
};

void name_thread(std::string name) { own_name = std::move(name); }

bool Span::is_watched() { return current.load(std::memory_order_relaxed) != 0; }

void Span::begin(Kind kind, std::string_view name, std::string inputs,
                 std::optional<std::uint64_t> number) {
  // The number is read once, so that a recording that ends meanwhile cannot get half a span.
  const std::uint64_t watch = current;
  if (watch == 0) return;  // the recording has ended since is_watched()
  const auto& thread = Threads::own();
  const std::lock_guard lock(thread->mutex);
  if (thread->watch != watch) {
    // A thread resets its own timeline at its first span of a recording, so start_watching()
    // touches no other thread.
    thread->name = own_name.empty() ? system_name() : own_name;
    thread->timeline = {};
    thread->watch = watch;
  }
  if (thread->timeline.is_full()) {
    full = true;
    return;
  }
  thread_ = thread;
  watch_ = watch;
  span_ = thread->timeline.begin(kind, name, now(), std::move(inputs), number);
}

void Span::end() {
  const std::lock_guard lock(thread_->mutex);
  if (thread_->watch == watch_) thread_->timeline.end(span_, now());
}

void allocated(std::int64_t bytes) {
  if (current == 0) return;
  const auto& thread = Threads::own();
  const std::lock_guard lock(thread->mutex);
  if (thread->watch == current) thread->timeline.allocated(bytes);
}

void start_watching() {
  Threads& all = Threads::all();
  const std::lock_guard lock(all.mutex);
  full = false;
  current = ++all.last;
}

bool is_full() { return full; }

std::vector<Thread> stop_watching() {
  const std::int64_t own = Threads::own()->id;
  Threads& all = Threads::all();
  const std::lock_guard lock(all.mutex);
  const std::uint64_t watch = current.exchange(0);
  std::vector<Thread> taken;
  for (const auto& thread : all.threads) {
    Thread each = Threads::take(*thread, watch);
    if (!each.timeline.spans().empty()) taken.push_back(std::move(each));
  }
  // A thread that has ended no longer shares its entry.
  std::erase_if(all.threads, [](const auto& thread) { return thread.use_count() == 1; });
  std::sort(taken.begin(), taken.end(), [own](const Thread& a, const Thread& b) {
    if ((a.id == own) != (b.id == own)) return a.id == own;
    // Comparing lengths first puts "reader 10" behind "reader 9".
    return std::pair(a.name.size(), a.name) < std::pair(b.name.size(), b.name);
  });
  return taken;
}

}  // namespace knead::trace
