#include <png.h>

#include <fmt/format.h>
#include <algorithm>
#include <cstring>

#include "runner/data/images/formats.h"

namespace knead::data {
namespace {

/// Holds the input of a decoder and the reason for its failure.
struct Reading {
  std::string_view file;
  std::size_t at = 0;
  std::string why;
};

/// Stores the reason of a failure and jumps to the setjmp() of the caller of libpng.
[[noreturn]] void give_up(png_structp decoder, png_const_charp why) {
  static_cast<Reading*>(png_get_error_ptr(decoder))->why = why;
  png_longjmp(decoder, 1);
}

/// Ignores the warnings of libpng.
void ignore(png_structp, png_const_charp) {}

/// Copies bytes of the input to libpng.
void give_bytes(png_structp decoder, png_bytep out, std::size_t count) {
  auto& reading = *static_cast<Reading*>(png_get_io_ptr(decoder));
  if (reading.file.size() - reading.at < count) png_error(decoder, "it is cut short");
  std::memcpy(out, reading.file.data() + reading.at, count);
  reading.at += count;
}

/// Owns a decoder and its header. info() is null if one of them could not be made.
class PngDecoder {
 public:
  explicit PngDecoder(Reading& reading)
      : decoder_(png_create_read_struct(PNG_LIBPNG_VER_STRING, &reading, give_up, ignore)),
        info_(decoder_ ? png_create_info_struct(decoder_) : nullptr) {
    if (!info_) return;
    png_set_read_fn(decoder_, &reading, give_bytes);
    pass_over_remarks();
  }
  ~PngDecoder() { png_destroy_read_struct(&decoder_, &info_, nullptr); }
  PngDecoder(const PngDecoder&) = delete;
  PngDecoder& operator=(const PngDecoder&) = delete;

  png_structp get() const { return decoder_; }
  png_infop info() const { return info_; }

 private:
  /// Lets libpng pass over what is said about a picture: it would unpack profiles and texts, which
  /// a file may have without end, and nothing here looks at them.
  void pass_over_remarks() {
    static constexpr png_byte kRemarks[] = "iCCP\0zTXt\0iTXt\0tEXt\0sPLT\0eXIf\0hIST\0pCAL";
    static constexpr int kCount = sizeof kRemarks / 5;
    png_set_keep_unknown_chunks(decoder_, PNG_HANDLE_CHUNK_NEVER, kRemarks, kCount);
  }

  png_structp decoder_;
  png_infop info_;
};

void set_transformations(const PngDecoder& decoder) {
  png_set_expand(decoder.get());  // expands palettes and fewer than 8 bits
  png_set_strip_16(decoder.get());
  png_set_strip_alpha(decoder.get());
  png_set_interlace_handling(decoder.get());
  png_read_update_info(decoder.get(), decoder.info());
}

// libpng reports failures by longjmp(), which skips destructors. So the functions that call it make
// no object with a destructor.

bool read_png_header(const PngDecoder& decoder, ImageSize& size) {
  if (setjmp(png_jmpbuf(decoder.get())) != 0) return false;  // NOLINT
  png_read_info(decoder.get(), decoder.info());
  size = {png_get_image_height(decoder.get(), decoder.info()),
          png_get_image_width(decoder.get(), decoder.info())};
  return true;
}

bool begin_rows(const PngDecoder& decoder, std::size_t& bytes_of_row, std::int64_t& channels) {
  if (setjmp(png_jmpbuf(decoder.get())) != 0) return false;  // NOLINT
  set_transformations(decoder);
  bytes_of_row = png_get_rowbytes(decoder.get(), decoder.info());
  channels = png_get_channels(decoder.get(), decoder.info());
  return true;
}

bool read_rows(const PngDecoder& decoder, std::vector<png_bytep>& rows) {
  if (setjmp(png_jmpbuf(decoder.get())) != 0) return false;  // NOLINT
  png_read_image(decoder.get(), rows.data());
  png_read_end(decoder.get(), nullptr);
  return true;
}

}  // namespace

bool is_png(std::string_view file) { return file.starts_with("\x89PNG\r\n\x1a\n"); }

ImageSize png_size(std::string_view file, const std::string& name) {
  Reading reading{file, 0, {}};
  const PngDecoder decoder(reading);
  ImageSize size;
  if (!decoder.info() || !read_png_header(decoder, size)) refuse_image(name, reading.why);
  check_size(size, file.size(), name);
  return size;
}

Pixels decode_png(std::string_view file, const std::string& name) {
  Reading reading{file, 0, {}};
  const PngDecoder decoder(reading);
  ImageSize size;
  if (!decoder.info() || !read_png_header(decoder, size)) refuse_image(name, reading.why);
  check_size(size, file.size(), name);
  Pixels out{size.height, size.width, 0, {}};
  std::size_t bytes_of_row = 0;
  if (!begin_rows(decoder, bytes_of_row, out.channels)) refuse_image(name, reading.why);
  // A pixel takes at least one bit, and deflate shrinks data to 1/1032 at best. The check precedes
  // the allocation.
  if (static_cast<std::uint64_t>(size.height * size.width) / 8 / 1032 > file.size()) {
    refuse_image(name, fmt::format("{} bytes cannot hold {} × {} pixels", file.size(), size.width,
                                   size.height));
  }
  out.values.resize(bytes_of_row * static_cast<std::size_t>(size.height));
  std::vector<png_bytep> rows;
  for (std::int64_t y = 0; y < size.height; ++y)
    rows.push_back(out.values.data() + static_cast<std::size_t>(y) * bytes_of_row);
  if (!read_rows(decoder, rows))
    refuse_image(name, fmt::format("{} (byte {})", reading.why, reading.at));
  return out;
}

}  // namespace knead::data
