#pragma once

namespace knead::run {

// The names of the files in a run's folder that the verb `run` writes. The lock, the journals, the
// log and the checkpoints have theirs in files/lock.h, track/tracker.h, track/log.h and
// checkpoint/names.h.
inline constexpr const char* kRecipeFile = "recipe.yaml";      // the recipe as given
inline constexpr const char* kResolvedFile = "resolved.yaml";  // the recipe as understood
inline constexpr const char* kVocabularyFile =
    "vocabulary.json";                               // of a tokenizer, if there is one
inline constexpr const char* kEndFile = "end.json";  // of a finished run: EndState
/// The folder that the end of a run writes the exports of its recipe to.
inline constexpr const char* kExportFolder = "export";

}  // namespace knead::run
