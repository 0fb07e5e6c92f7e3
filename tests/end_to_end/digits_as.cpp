// digits_as CSV FOLDER: the digits of a csv file in every other format that data comes in, for
// arrays_test.sh.

#include <png.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "runner/files/read.h"
#include "tests/data/arrays/bytes.h"

namespace {

using namespace knead::tests;
namespace fs = std::filesystem;

constexpr std::size_t kPixels = 64;

/// Pixels from 0 to 16 and a class, by row.
struct Digits {
  std::string pixels;
  std::string classes;

  std::size_t count() const { return classes.size(); }
  std::string image(std::size_t row) const { return pixels.substr(row * kPixels, kPixels); }
};

Digits read_digits(const char* path) {
  Digits digits;
  std::istringstream cells(knead::files::read_text(path));
  std::string line;
  while (std::getline(cells, line)) {
    std::istringstream row(line);
    std::string cell;
    for (std::size_t i = 0; std::getline(row, cell, ','); ++i)
      (i < kPixels ? digits.pixels : digits.classes) += static_cast<char>(std::stoi(cell));
  }
  return digits;
}

void write(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string shape(const Digits& digits, const char* rest) {
  return fmt::format("({},{})", digits.count(), rest);
}

std::string idx(const Digits& digits, bool pixels) {
  const std::string sizes = big(digits.count(), 4) + (pixels ? big(8, 4) + big(8, 4) : "");
  return std::string({0, 0, 8, static_cast<char>(pixels ? 3 : 1)}) + sizes +
         (pixels ? digits.pixels : digits.classes);
}

std::string safetensors(const Digits& digits) {
  const std::size_t n = digits.count();
  std::string header =
      fmt::format(R"({{"pixels":{{"dtype":"U8","shape":[{0},64],"data_offsets":[0,{1}]}},)"
                  R"("digit":{{"dtype":"U8","shape":[{0}],"data_offsets":[{1},{2}]}}}})",
                  n, n * kPixels, n * kPixels + n);
  header.resize((header.size() + 7) / 8 * 8, ' ');
  return little(header.size(), 8) + header + digits.pixels + digits.classes;
}

constexpr const char* kWords[] = {"zero", "one", "two",   "three", "four",
                                  "five", "six", "seven", "eight", "nine"};

std::string jsonl(const Digits& digits) {
  std::string out;
  for (std::size_t row = 0; row < digits.count(); ++row) {
    std::string pixels;
    for (const char c : digits.image(row))
      pixels += fmt::format("{}{}", pixels.empty() ? "" : ",", c / 16.0);
    out += fmt::format("{{\"ink\": {{\"on\": [{}]}}, \"digit\": \"{}\"}}\n", pixels,
                       kWords[static_cast<int>(digits.classes[row])]);
  }
  return out;
}

std::string words(const Digits& digits) {
  std::string out;
  for (std::size_t row = 0; row < digits.count(); ++row) {
    for (const char c : digits.image(row)) out += fmt::format("{};", static_cast<int>(c));
    out += fmt::format("{}\n", kWords[static_cast<int>(digits.classes[row])]);
  }
  return out;
}

void write_png(const fs::path& path, const std::string& image) {
  std::string grey;
  for (const char c : image) grey += static_cast<char>(c * 255 / 16);
  fs::create_directories(path.parent_path());
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = png.height = 8;
  png.format = PNG_FORMAT_GRAY;
  png_image_write_to_file(&png, path.c_str(), 0, grey.data(), 0, nullptr);
}

void write_all(const Digits& digits, const fs::path& folder) {
  const std::string images = npy(npy_header("|u1", shape(digits, " 64")), digits.pixels);
  const std::string classes = npy(npy_header("|u1", shape(digits, "")), digits.classes);
  write(folder / "x.npy", images);
  write(folder / "y.npy", classes);
  write(folder / "xy.npz", zip({{"x.npy", images, true}, {"y.npy", classes}}));
  write(folder / "x.idx.gz", deflated(idx(digits, true), true));
  write(folder / "y.idx", idx(digits, false));
  write(folder / "xy.safetensors", safetensors(digits));
  write(folder / "xy.jsonl", jsonl(digits));
  write(folder / "words.csv", words(digits));
  for (std::size_t row = 0; row < digits.count(); ++row) {
    write_png(folder / "images" / kWords[static_cast<int>(digits.classes[row])] /
                  fmt::format("{:04}.png", row),
              digits.image(row));
  }
}

}  // namespace

int main(int, char** arguments) {
  write_all(read_digits(arguments[1]), arguments[2]);
  return 0;
}
