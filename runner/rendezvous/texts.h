#pragma once

#include <chrono>
#include <string>

namespace knead::rendezvous {

/// Points in time until which an operation waits.
using Deadline = std::chrono::steady_clock::time_point;

/// Holds texts by key, which each rank of a run can write and read while the ranks connect. Values
/// may hold any bytes; a message of key and value is at most kLongestMessage. Used by one thread.
class Texts {
 public:
  virtual ~Texts() = default;

  /// Writes a text. Throws knead::Error (Exit::rank_lost) if rank 0 is gone.
  virtual void set(const std::string& key, const std::string& value) = 0;

  /// Returns a text; waits until some rank has written it. Throws knead::Error (Exit::rank_lost) if
  /// the deadline comes first or rank 0 is gone.
  virtual std::string get(const std::string& key, Deadline deadline) = 0;

  /// Returns the address at which this rank is reached by the others.
  virtual std::string address() const = 0;
};

}  // namespace knead::rendezvous
