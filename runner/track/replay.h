#pragma once

#include <cstdint>
#include <filesystem>

#include "runner/track/sink.h"

namespace knead::track {

/// Holds the lengths of the journals of a run at one moment, in bytes.
struct JournalEnds {
  std::uint64_t metrics = 0;
  std::uint64_t evaluations = 0;
  std::uint64_t generated = 0;
};

/// Returns the present lengths of the journals in the folder of a run; 0 for a file that is absent.
JournalEnds journal_ends(const std::filesystem::path& folder);

/// Passes the numbers and texts of a run's journals on, up to `ends`, in the order of steps; at the
/// same step the report is first and the texts are last, as it is during training. Lines behind
/// `ends` may be written meanwhile. Throws knead::Error if a line cannot be parsed.
void replay(const std::filesystem::path& folder, const JournalEnds& ends, Sink& sink);

}  // namespace knead::track
