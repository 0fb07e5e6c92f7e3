#pragma once

#include "runner/data/images/pixels.h"

namespace knead::data {

bool is_jpeg(std::string_view file);
bool is_png(std::string_view file);

ImageSize jpeg_size(std::string_view file, const std::string& name);
ImageSize png_size(std::string_view file, const std::string& name);

/// Grey images as 1 channel, all others as 3.
Pixels decode_jpeg(std::string_view file, const std::string& name);
Pixels decode_png(std::string_view file, const std::string& name);

/// Refuses sizes that no training image has; what a header says is believed up to here.
void check_size(ImageSize size, const std::string& name);

/// A file that cannot be decoded, with the decoder's words.
[[noreturn]] void refuse_image(const std::string& name, const std::string& why);

}  // namespace knead::data
