#pragma once

#include <c10/core/ScalarType.h>

namespace knead::engine {

/// How the operators of this thread choose their precision, at a moment.
class AutocastState {
 public:
  AutocastState();
  void restore() const;

 private:
  bool enabled_, cached_;
  at::ScalarType dtype_;
};

/// While it lives, autocast is as it was at another moment.
class BorrowedAutocast {
 public:
  explicit BorrowedAutocast(const AutocastState& other);
  ~BorrowedAutocast();
  BorrowedAutocast(const BorrowedAutocast&) = delete;
  BorrowedAutocast& operator=(const BorrowedAutocast&) = delete;

 private:
  AutocastState before_;
};

}  // namespace knead::engine
