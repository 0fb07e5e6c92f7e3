#pragma once

#include <cstdint>

namespace knead::engine::model {

// Functions of values and operators run without an evaluator, and some take time in proportion to
// what they are given. They count it here, and the evaluator that runs on this thread counts it
// among its steps.

/// States how many parts of work are one step of the evaluator. A part takes a few nanoseconds: an
/// item or a name compared, a long text read by 64 bytes.
inline constexpr std::int64_t kPartsOfStep = 16;

namespace detail {
inline thread_local std::int64_t parts_of_work = 0;
}

/// Counts work of this thread.
inline void count_parts(std::int64_t parts) { detail::parts_of_work += parts; }

/// Returns the parts that this thread has counted since it began.
inline std::int64_t counted_parts() { return detail::parts_of_work; }

}  // namespace knead::engine::model
