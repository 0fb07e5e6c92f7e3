#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "runner/board/runs/watched_folder.h"
#include "runner/report/page.h"

namespace knead::board {

/// Returns the page that lists the runs of a folder, with a link to each. `name_of` gives the name
/// by which the board calls a folder.
report::Page list_page(const WatchedFolder& folder,
                       const std::function<std::string(const std::filesystem::path&)>& name_of);

}  // namespace knead::board
