#include <turbojpeg.h>

#include <memory>
#include <new>

#include "runner/data/images/formats.h"

namespace knead::data {
namespace {

struct Close {
  void operator()(void* decoder) const { tjDestroy(decoder); }
};

/// A decoder for one image: one that met a damaged image might say of the next what was wrong with
/// that one.
class Decoder {
 public:
  Decoder() : made_(tjInitDecompress()) {
    if (!made_) throw std::bad_alloc();
  }

  tjhandle get() const { return made_.get(); }

 private:
  std::unique_ptr<void, Close> made_;
};

const unsigned char* bytes_of(std::string_view file) {
  return reinterpret_cast<const unsigned char*>(file.data());
}

struct Header {
  ImageSize size;
  bool is_grey = false;
};

Header read_header(const Decoder& decoder, std::string_view file, const std::string& name) {
  int width = 0;
  int height = 0;
  int subsampling = 0;
  int colors = 0;
  if (tjDecompressHeader3(decoder.get(), bytes_of(file), file.size(), &width, &height, &subsampling,
                          &colors) != 0)
    refuse_image(name, tjGetErrorStr2(decoder.get()));
  const Header header{{height, width}, colors == TJCS_GRAY};
  check_size(header.size, name);
  if (colors == TJCS_CMYK || colors == TJCS_YCCK)
    refuse_image(name, "its colours are for printing (CMYK), not red, green and blue");
  return header;
}

}  // namespace

bool is_jpeg(std::string_view file) { return file.starts_with("\xFF\xD8"); }

ImageSize jpeg_size(std::string_view file, const std::string& name) {
  return read_header(Decoder(), file, name).size;
}

Pixels decode_jpeg(std::string_view file, const std::string& name) {
  const Decoder decoder;
  const Header header = read_header(decoder, file, name);
  Pixels out{header.size.height, header.size.width, header.is_grey ? 1 : 3, {}};
  out.values.resize(static_cast<std::size_t>(out.height * out.width * out.channels));
  const int result = tjDecompress2(decoder.get(), bytes_of(file), file.size(), out.values.data(),
                                   static_cast<int>(out.width), 0, static_cast<int>(out.height),
                                   header.is_grey ? TJPF_GRAY : TJPF_RGB, TJFLAG_ACCURATEDCT);
  // After a warning the decoder goes on somehow, with pixels that nobody drew; only bytes between
  // two parts of a file do no harm, and cameras leave them there.
  const std::string_view why = result == 0 ? "" : tjGetErrorStr2(decoder.get());
  if (result != 0 && why.find("extraneous bytes before marker") == why.npos)
    refuse_image(name, std::string(why));
  return out;
}

}  // namespace knead::data
