#pragma once

#include <string>
#include <string_view>

namespace knead::engine::model {

/// Says what to do with an archive that may have been made to do harm.
inline constexpr const char* kRemedyOfArchive =
    "do not use it unless you know who made it, and how";

/// Refuses a pickle of an archive that names a longer text than it has, for which LibTorch would
/// take memory, and one of more lists and dicts than any archive has. `member` and `name` are those
/// of the pickle and of the archive, for the message. Throws knead::Error.
void check_pickle(std::string_view text, const std::string& member, const std::string& name);

}  // namespace knead::engine::model
