#pragma once

#include <atomic>
#include <cstddef>
#include <string>

namespace knead::engine::cuda {

/// Describes an operation, which all ranks must call alike.
struct Call {
  enum class Kind : int { sum, copy } kind;
  int type;  // ncclDataType_t
  std::size_t count;

  bool operator==(const Call&) const = default;
};

/// Thrown where another rank ended, or where this one aborts.
struct RankLost {};
struct Aborted {};
/// Thrown where the ranks do not call the same; says how.
struct Mismatch {
  std::string words;
};

/// Connects the processes of a communicator by a file in memory that all of them map. Used by one
/// thread at a time, but for abort().
class SharedRanks {
 public:
  /// Makes an empty file for one communicator, and returns its path.
  static std::string make_file();

  /// Opens the file, and waits for nobody.
  SharedRanks(const std::string& path, int rank, int ranks);
  /// Tells the others that this rank is gone.
  ~SharedRanks();
  SharedRanks(const SharedRanks&) = delete;
  SharedRanks& operator=(const SharedRanks&) = delete;

  /// Waits until all ranks have opened the file, which then has no name any more.
  void connect();

  /// Replaces the bytes at `data` as the call says. Throws RankLost, Aborted or Mismatch.
  void run(const Call& call, void* data);

  /// Says that this rank will call nothing more, and returns whether all others have said so.
  bool finish();

  /// Ends what the other functions wait for.
  void abort() { is_aborted_ = true; }
  bool is_aborted() const { return is_aborted_; }

 private:
  struct Region;

  void meet();
  bool is_alive(int rank) const;

  std::string path_;
  int rank_;
  int ranks_;
  int file_ = -1;
  Region* region_ = nullptr;
  std::atomic<bool> is_aborted_ = false;
};

}  // namespace knead::engine::cuda
