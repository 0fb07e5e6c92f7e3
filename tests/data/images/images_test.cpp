#include "runner/data/images/pixels.h"

#include <fstream>

#include <nlohmann/json.hpp>

#include "runner/data/transforms/planes.h"
#include "runner/files/read.h"
#include "tests/data/arrays/files.h"

using namespace knead;
using namespace knead::tests;
using data::Pixels;
using Json = nlohmann::json;
using Bytes = std::vector<std::uint8_t>;

namespace {

const std::filesystem::path kFolder = KNEAD_ROOT "/tests/fixtures/images";

Json expected() { return Json::parse(files::read_text(kFolder / "expected.json")); }

std::string bytes_of(const std::string& name) { return files::read_text(kFolder / name); }

std::string why_not(const std::string& bytes) {
  return refusal([&] { data::decode_image(bytes, 3, "the.file"); });
}

std::string png_part(const std::string& name, const std::string& content) {
  const std::string part = name + content;
  const auto crc =
      crc32(0, reinterpret_cast<const Bytef*>(part.data()), static_cast<uInt>(part.size()));
  return big(content.size(), 4) + part + big(crc, 4);
}

std::string png_begin(std::uint32_t width, std::uint32_t height,
                      const std::string& depth_and_type) {
  return "\x89PNG\r\n\x1a\n" +
         png_part("IHDR", big(width, 4) + big(height, 4) + depth_and_type + std::string(3, '\0'));
}

/// A PNG file that says width and height, and ends where its pixels should begin.
std::string png_header(std::uint32_t width, std::uint32_t height) {
  return png_begin(width, height, "\x08\x02") + big(9, 4) + "IDAT";
}

/// A PNG file of grey pixels. `rows`: each behind the number of its filter.
std::string grey_png(std::uint32_t width, std::uint32_t height, char depth,
                     const std::string& rows) {
  std::string packed(compressBound(rows.size()), '\0');
  uLongf size = packed.size();
  compress(reinterpret_cast<Bytef*>(packed.data()), &size,
           reinterpret_cast<const Bytef*>(rows.data()), rows.size());
  return png_begin(width, height, std::string{depth, '\0'}) +
         png_part("IDAT", packed.substr(0, size)) + png_part("IEND", "");
}

}  // namespace

TEST_CASE("JPEG and PNG files are decoded and scaled as by Pillow, to the bit") {
  const Json all = expected();
  for (const auto& [name, image] : all["images"].items()) {
    CAPTURE(name);
    const std::string bytes = bytes_of(name);
    const Pixels colour = data::decode_image(bytes, 3, name);
    CHECK(colour.height == image["height"]);
    CHECK(colour.width == image["width"]);
    CHECK(colour.values == image["RGB"].get<Bytes>());
    CHECK(data::decode_image(bytes, 1, name).values == image["L"].get<Bytes>());
    CHECK(data::image_size(bytes, name) == data::ImageSize{colour.height, colour.width});
    for (const Json& resized : image["resized"]) {
      const Pixels scaled = data::resized(colour, {resized["height"], resized["width"]});
      CHECK(scaled.values == resized["RGB"].get<Bytes>());
    }
  }
}

TEST_CASE("of 16 bits the higher 8 are taken, of grey ones too") {
  const std::string row = std::string("\0", 1) + big(0x12FF, 2) + big(0xFE01, 2);
  const Pixels image = data::decode_image(grey_png(2, 1, 16, row), 1, "the.file");
  CHECK(image.values == Bytes{0x12, 0xFE});
}

TEST_CASE("bytes between two parts of a JPEG file do no harm, wherever they are") {
  std::string bytes = bytes_of("colour.jpg");
  const Pixels image = data::decode_image(bytes, 3, "the.file");
  for (const char* part : {"\xFF\xDB", "\xFF\xC4", "\xFF\xDA"}) {
    std::string gapped = bytes;
    gapped.insert(bytes.find(part), std::string(3, '\0'));
    CHECK(data::decode_image(gapped, 3, "the.file").values == image.values);
  }
}

TEST_CASE("planes are scaled, turned and zoomed as by PyTorch") {
  const Json all = expected()["transforms"];
  const auto values = all["planes"].get<std::vector<float>>();
  const data::Planes planes{values, 2, 5, 7};
  const auto check_near = [](const std::vector<float>& ours, const Json& theirs) {
    REQUIRE(ours.size() == theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i)
      CHECK(ours[i] == Approx(theirs[i].get<float>()).margin(2e-6));
  };
  for (const Json& one : all["resize"])
    check_near(data::scaled(planes, one["size"][0], one["size"][1]), one["planes"]);
  for (const Json& one : all["turn"])
    check_near(data::turned(planes, one["degrees"], one["factor"]), one["planes"]);
}

TEST_CASE("an image that is cut short anywhere is refused with its name") {
  for (const char* name : {"colour.jpg", "progressive.jpg", "grey.jpg"}) {
    const std::string bytes = bytes_of(name);
    for (std::size_t size = 0; size < bytes.size() - 1; ++size) {
      CAPTURE(name, size);
      CHECK(why_not(bytes.substr(0, size)).rfind("the.file", 0) == 0);
    }
  }
  for (const char* name : {"colour.png", "palette.png", "bits.png"}) {
    check_truncation(bytes_of(name),
                     [](const std::string& cut) { data::decode_image(cut, 3, "the.file"); });
  }
}

TEST_CASE("a damaged byte anywhere neither crashes nor gives an image of another size") {
  for (const char* name : {"colour.jpg", "progressive.jpg", "palette.png", "colour.png"}) {
    const std::string good = bytes_of(name);
    for (std::size_t at = 0; at < good.size(); ++at) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 0x55);
      Pixels image;
      const std::string why = refusal([&] { image = data::decode_image(bad, 3, "the.file"); });
      if (why.empty())
        REQUIRE(image.values.size() == static_cast<std::size_t>(image.height * image.width * 3));
    }
  }
}

TEST_CASE("what is no image, and what lies about its size, is refused") {
  CHECK(why_not("") == "the.file is empty");
  CHECK(why_not("GIF89a") == "the.file is neither a JPEG nor a PNG file");
  CHECK(why_not(png_header(0x7FFFFFFF, 0x7FFFFFFF)).rfind("the.file", 0) == 0);
  CHECK(why_not(png_header(20000, 20000)) == "the.file says that it has 20000 × 20000 pixels");
  CHECK(why_not(png_header(9000, 9000)) ==
        "the.file says that it has 9000 × 9000 pixels in 41 bytes");
  CHECK(why_not(png_header(0, 5)).rfind("the.file", 0) == 0);
  std::string jpeg = bytes_of("colour.jpg");
  const std::size_t frame = jpeg.find(std::string("\xFF\xC0", 2));
  jpeg.replace(frame + 5, 4, "\xFD\xE8\xFD\xE8");
  CHECK(why_not(jpeg) == "the.file says that it has 65000 × 65000 pixels");
  jpeg = bytes_of("colour.jpg");
  jpeg[frame + 11] = 0x31;
  CHECK(why_not(jpeg) ==
        "the.file cannot be decoded: its colours are subsampled in an unusual way");
}

TEST_CASE("a header may ask for no more pixels than the bytes of its file explain") {
  CHECK(why_not(png_header(5000, 5000)) ==
        "the.file says that it has 5000 × 5000 pixels in 41 bytes");
  // 16 million are decoded from however few bytes.
  CHECK(why_not(png_header(4096, 4096)) != why_not(png_header(4096, 4097)));
  CHECK(why_not(png_header(4096, 4097)).starts_with("the.file says that it has 4096 × 4097"));
}

TEST_CASE("a JPEG file goes over its pixels as often as its bytes explain") {
  std::string file = bytes_of("progressive.jpg");
  const std::size_t frame = file.find("\xFF\xC2");
  REQUIRE(frame != file.npos);
  file.replace(frame + 5, 4, big(4096, 2) + big(4096, 2));
  const std::size_t end = file.rfind("\xFF\xD9");
  REQUIRE(end != file.npos);
  const auto with_scans = [&](int count) {
    std::string more;
    for (int i = 0; i < count; ++i) more += "\xFF\xDA" + big(2, 2);
    return why_not(std::string(file).insert(end, more));
  };
  CHECK(with_scans(100).starts_with("the.file goes over its 4096 × 4096 pixels in 1"));
  CHECK_FALSE(with_scans(0).starts_with("the.file goes over"));
}
