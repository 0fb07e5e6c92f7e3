#include <turbojpeg.h>

#include <memory>
#include <new>

#include "runner/data/images/formats.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

struct Close {
  void operator()(void* decoder) const { tjDestroy(decoder); }
};

/// Owns a decoder. Each image gets a decoder of its own, because a decoder that met a damaged image
/// may report its fault for the next image.
class JpegDecoder {
 public:
  JpegDecoder() : made_(tjInitDecompress()) {
    if (!made_) throw std::bad_alloc();
  }

  tjhandle get() const { return made_.get(); }

 private:
  std::unique_ptr<void, Close> made_;
};

const unsigned char* bytes_of(std::string_view file) {
  return reinterpret_cast<const unsigned char*>(file.data());
}

/// Lists the colour spaces of JPEG files: grey, red-green-blue, and the four inks of printing.
enum class Colours { grey, rgb, cmyk };

struct Header {
  ImageSize size;
  Colours colours = Colours::rgb;
};

Colours colours_of(int color_space) {
  if (color_space == TJCS_GRAY) return Colours::grey;
  return color_space == TJCS_CMYK || color_space == TJCS_YCCK ? Colours::cmyk : Colours::rgb;
}

/// Throws knead::Error for a failure or a warning, since after a warning the decoder continues with
/// wrong pixels. Bytes between two parts of a file are harmless; some cameras leave them there.
void check(int result, const JpegDecoder& decoder, const std::string& name) {
  if (result == 0) return;
  const std::string why = tjGetErrorStr2(decoder.get());
  if (why.find("extraneous bytes before marker") != why.npos) return;
  if (why.find("determine subsampling type") != why.npos) {
    throw Error(name + " cannot be decoded: its colours are subsampled in an unusual way",
                "save it anew with 4:4:4, 4:2:2, 4:2:0, 4:4:0 or 4:1:1, or leave it out");
  }
  refuse_image(name, why);
}

Header read_jpeg_header(const JpegDecoder& decoder, std::string_view file,
                        const std::string& name) {
  int width = 0;
  int height = 0;
  int subsampling = 0;
  int color_space = 0;
  check(tjDecompressHeader3(decoder.get(), bytes_of(file), file.size(), &width, &height,
                            &subsampling, &color_space),
        decoder, name);
  const Header header{{height, width}, colours_of(color_space)};
  check_size(header.size, file.size(), name);
  return header;
}

Pixels decoded_as(TJPF format, const JpegDecoder& decoder, const Header& header,
                  std::string_view file, const std::string& name) {
  Pixels out{header.size.height, header.size.width, tjPixelSize[format], {}};
  out.values.resize(static_cast<std::size_t>(out.height * out.width * out.channels));
  check(tjDecompress2(decoder.get(), bytes_of(file), file.size(), out.values.data(),
                      static_cast<int>(out.width), 0, static_cast<int>(out.height), format,
                      TJFLAG_ACCURATEDCT),
        decoder, name);
  return out;
}

/// Returns a × b / 255, rounded as Pillow does.
std::uint32_t share(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t product = a * b + 128;
  return ((product >> 8) + product) >> 8;
}

/// Converts inks to colours as Pillow's convert("RGB") does. Files store 255 - ink, as Adobe's
/// programs write it; Pillow assumes that even if a file does not say so.
Pixels without_inks(const Pixels& image) {
  Pixels out{image.height, image.width, 3, {}};
  out.values.reserve(image.values.size() / 4 * 3);
  for (std::size_t i = 0; i < image.values.size(); i += 4) {
    const std::uint32_t light = image.values[i + 3];  // light that the black ink lets through
    for (std::size_t c = 0; c < 3; ++c)
      out.values.push_back(
          static_cast<std::uint8_t>(light - share(255U - image.values[i + c], light)));
  }
  return out;
}

}  // namespace

bool is_jpeg(std::string_view file) { return file.starts_with("\xFF\xD8"); }

ImageSize jpeg_size(std::string_view file, const std::string& name) {
  return read_jpeg_header(JpegDecoder(), file, name).size;
}

Pixels decode_jpeg(std::string_view file, const std::string& name) {
  const JpegDecoder decoder;
  const Header header = read_jpeg_header(decoder, file, name);
  check_scans(header.size, file, name);
  switch (header.colours) {
    case Colours::grey: return decoded_as(TJPF_GRAY, decoder, header, file, name);
    case Colours::rgb: return decoded_as(TJPF_RGB, decoder, header, file, name);
    case Colours::cmyk: return without_inks(decoded_as(TJPF_CMYK, decoder, header, file, name));
  }
  return {};
}

}  // namespace knead::data
