#pragma once

#include <cstdint>
#include <string>

namespace knead::files {

/// Lists what reading one thing may take: a file of weights with its index, a tokenizer, a text
/// that it encodes. They are far above what files of real programs need, and far below what makes a
/// machine slow. The README states them.
struct Limits {
  /// Bytes of memory for what a file describes: names, shapes, pickled values, JSON. Does not count
  /// the bytes of samples and weights, which are in the file.
  std::uint64_t memory = 512ULL << 20;
  /// Steps of work besides those that the size of a file explains. A step takes some 10 ns.
  std::uint64_t work = 100'000'000;
  /// Levels of lists and blocks in each other.
  int depth = 64;
};

/// Is handed to each reader of files that strangers may have written, which tells it what it is
/// about to take before it takes it. It counts and asks no clock, so that a file is refused on
/// every machine or on none. Used by one thread at a time.
class Budget {
 public:
  /// `name`: what is read, for messages: the path of the file.
  explicit Budget(std::string name, Limits limits = {});

  const std::string& name() const { return name_; }

  /// Counts memory that the reader keeps. Throws knead::Error if it is more than the limit.
  void hold(std::uint64_t bytes) {
    if (bytes > memory_left_) refuse_memory();
    memory_left_ -= bytes;
  }
  /// Counts steps of work. Throws knead::Error if they are more than the limit.
  void work(std::uint64_t steps) {
    if (steps > work_left_) refuse_work();
    work_left_ -= steps;
  }
  /// Counts steps of work if they are left, and returns whether they were: for readers that can
  /// name the place.
  bool try_work(std::uint64_t steps) {
    if (steps > work_left_) return false;
    work_left_ -= steps;
    return true;
  }
  /// Adds steps that a size which is there explains, such as the bytes of a text to encode.
  void allow_work(std::uint64_t steps) { work_left_ += steps; }
  /// Throws knead::Error if values lie deeper in each other than the limit.
  void expect_depth(std::size_t depth) const {
    if (depth > static_cast<std::size_t>(limits_.depth)) refuse_depth();
  }

 private:
  [[noreturn]] void refuse_memory() const;
  [[noreturn]] void refuse_work() const;
  [[noreturn]] void refuse_depth() const;

  std::string name_;
  Limits limits_;
  std::uint64_t memory_left_;
  std::uint64_t work_left_;
};

/// Returns to how many bytes so many packed ones may unpack: 256 MiB, and 64 times the packed bytes
/// besides. Data that people train on pack by a factor of 2 to 20; zeros pack by one of 1000 and
/// more.
constexpr std::uint64_t most_unpacked(std::uint64_t packed) {
  constexpr std::uint64_t kFree = 256ULL << 20;
  constexpr std::uint64_t kTimes = 64;
  return packed > (UINT64_MAX - kFree) / kTimes ? UINT64_MAX : kFree + kTimes * packed;
}

/// Gives the remedy for a file that unpacks to more than most_unpacked().
inline constexpr const char* kUnpackIt =
    "256 MiB and 64 times the packed bytes are unpacked: if it is what you expect, unpack it "
    "yourself, and name that";

}  // namespace knead::files
