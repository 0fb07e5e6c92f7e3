#pragma once

#include <string>
#include <string_view>

namespace knead::data {

/// Throws knead::Error if a file that should hold text or plain numbers begins like one that is
/// packed: by gzip, zstd or zip, as a workbook is, or like a safetensors file. `beginning`: its
/// first 12 bytes or more; `file`: its name, for the message.
void expect_unpacked(std::string_view beginning, const std::string& file);

}  // namespace knead::data
