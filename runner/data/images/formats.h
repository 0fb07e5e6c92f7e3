#pragma once

#include "runner/data/images/pixels.h"

namespace knead::data {

/// Returns whether a file begins with the signature of JPEG.
bool is_jpeg(std::string_view file);
/// Returns whether a file begins with the signature of PNG.
bool is_png(std::string_view file);

/// Reads the size from the header of a JPEG file. `name`: the file, for messages. Throws
/// knead::Error if the header is damaged or check_size() refuses the size.
ImageSize jpeg_size(std::string_view file, const std::string& name);
/// Reads the size from the header of a PNG file. `name`: the file, for messages. Throws
/// knead::Error if the header is damaged or check_size() refuses the size.
ImageSize png_size(std::string_view file, const std::string& name);

/// Decodes a JPEG file to 1 channel if it is grey and to 3 otherwise. Throws knead::Error with the
/// words of the decoder if the file is damaged.
Pixels decode_jpeg(std::string_view file, const std::string& name);
/// Decodes a PNG file to 1 channel if it is grey and to 3 otherwise. Throws knead::Error with the
/// words of the decoder if the file is damaged.
Pixels decode_png(std::string_view file, const std::string& name);

/// Throws knead::Error if a size that a header states is 0 or larger than knead decodes, before any
/// memory is allocated for it.
void check_size(ImageSize size, const std::string& name);

/// Throws knead::Error for a file that cannot be decoded. `why`: the decoder's words.
[[noreturn]] void refuse_image(const std::string& name, const std::string& why);

}  // namespace knead::data
