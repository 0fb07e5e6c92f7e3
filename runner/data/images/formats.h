#pragma once

#include "runner/data/images/pixels.h"

namespace knead::data {

/// Returns whether a file begins with the signature of JPEG, FF D8. The rest may still be damaged.
bool is_jpeg(std::string_view file);
/// Returns whether a file begins with the 8 bytes of PNG's signature. The rest may still be
/// damaged.
bool is_png(std::string_view file);

/// Reads the size from the header of a JPEG file. `name`: the file, for messages. Throws
/// knead::Error if the header is damaged or check_size() refuses the size.
ImageSize jpeg_size(std::string_view file, const std::string& name);
/// Reads the size from the header of a PNG file. `name`: the file, for messages. Throws
/// knead::Error if the header is damaged or check_size() refuses the size.
ImageSize png_size(std::string_view file, const std::string& name);

/// Decodes a JPEG file to 1 channel if it is grey and to 3 otherwise. A warning of the decoder is a
/// failure, because wrong pixels would follow; only bytes between two parts of the file are
/// accepted. `name`: the file, for messages. Throws knead::Error with the words of the decoder if
/// the file is damaged, and as check_size() does.
Pixels decode_jpeg(std::string_view file, const std::string& name);
/// Decodes a PNG file to 1 channel if it is grey and to 3 otherwise. Palettes and fewer than 8 bits
/// are expanded, transparency is dropped, of 16 bits the higher 8 are kept. `name`: the file, for
/// messages. Throws knead::Error with the words of the decoder if the file is damaged or too short
/// for the size that it states, and as check_size() does.
Pixels decode_png(std::string_view file, const std::string& name);

/// Throws knead::Error if a size that a header states is 0, has more than 100 million pixels, or
/// more than 16 million and 64 for each of the `bytes` of the file: a picture of photographs has at
/// most 10. Must be called before any memory is allocated for the size, so that a header cannot ask
/// for more memory than the file explains.
void check_size(ImageSize size, std::uint64_t bytes, const std::string& name);

/// Throws knead::Error if a JPEG file goes over its pixels more often than its bytes explain: 256
/// million pixels in all scans, and 256 for each of the `bytes` of the file. Progressive files have
/// some ten scans, and each takes the decoder time for every pixel, even if it holds nothing.
void check_scans(ImageSize size, std::string_view file, const std::string& name);

/// Throws knead::Error for a file that cannot be decoded. `why`: the decoder's words.
[[noreturn]] void refuse_image(const std::string& name, const std::string& why);

}  // namespace knead::data
