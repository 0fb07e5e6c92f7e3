#include "runner/data/tar/file_reader.h"

#include <cstring>

#include <fmt/format.h>

#include "runner/data/arrays/convert.h"
#include "runner/data/arrays/npy.h"
#include "runner/data/images/image_decoder.h"
#include "runner/data/table/categories.h"
#include "runner/data/table/cell.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

template <class Number>
void write(Number number, Stored from, const Field& field, const std::string& name,
           std::byte* destination) {
  const Conversion how{from, false, field.dtype, 1, 0};
  if (!convert(how, reinterpret_cast<const char*>(&number), 1, destination)) return;
  throw Error(fmt::format("{}: {} does not fit {}", name, number, word_of(field.dtype)),
              misfit_remedy(field, false));
}

Dtype dtype_of(const recipe::TarField& field, Dtype otherwise) {
  return field.dtype ? dtype_named(recipe::to_string(*field.dtype)) : otherwise;
}

std::vector<std::int64_t> shape_of(const recipe::TarField& field) {
  if (field.shape) return *field.shape;
  return {};
}

/// Decodes an image per sample.
class ImageFiles final : public FileReader {
 public:
  ImageFiles(const std::string& name, const recipe::TarField& field)
      : FileReader({name, Dtype::float32, {}}), decoder_(field.channels, field.size) {}

  void look_at(std::string_view file, const std::string& name) override {
    decoder_.take_size(file, name);
    field_.shape = decoder_.shape();
  }

  void read(std::string_view file, const std::string& name, std::byte* destination) const override {
    decoder_.decode(file, name, destination);
  }

 private:
  ImageDecoder decoder_;
};

/// Reads files with one number, or with a word that stands for a number.
class NumberFiles final : public FileReader {
 public:
  NumberFiles(const std::string& name, const recipe::TarField& field)
      : FileReader({name, dtype_of(field, Dtype::int64), shape_of(field)}) {
    if (field.categories) categories_ = std::make_unique<const Categories>(*field.categories);
  }

  void look_at(std::string_view /*file*/, const std::string& /*name*/) override {}

  void read(std::string_view file, const std::string& name, std::byte* destination) const override {
    // Programs that write text end the last line.
    while (!file.empty() && (file.back() == '\n' || file.back() == '\r')) file.remove_suffix(1);
    const std::string_view text = trimmed(file);
    if (categories_) {
      write_number(categories_->number_of(text, name, "categories"), field_, name, destination);
    } else if (const auto whole = integer_in(text)) {
      write_number(*whole, field_, name, destination);
    } else if (const auto number = number_in(text)) {
      write_number(*number, field_, name, destination);
    } else {
      constexpr std::size_t kMost = 40;
      throw Error(fmt::format("{} is no number: '{}'", name, text.substr(0, kMost)),
                  std::string(kWordsAdvice));
    }
  }

 private:
  std::unique_ptr<const Categories> categories_;
};

/// Reads npy files; the whole array is one sample.
class ArrayFiles final : public FileReader {
 public:
  ArrayFiles(const std::string& name, const recipe::TarField& field)
      : FileReader({name, Dtype::float32, {}}), recipe_(field) {}

  void look_at(std::string_view file, const std::string& name) override {
    const StoredArray array = read_npy(file, name);
    const bool is_scaled = recipe_.scale != 1 || recipe_.offset != 0;
    field_.dtype = dtype_of(recipe_, usual_dtype(array.type, is_scaled));
    field_.shape = array.shape;
    if (recipe_.shape) field_.shape = *recipe_.shape;
  }

  void read(std::string_view file, const std::string& name, std::byte* destination) const override {
    const StoredArray array = read_npy(file, name);
    const std::size_t count = field_.bytes_per_sample() / bytes_of(field_.dtype);
    if (bytes_of(array.type, array.shape) != count * bytes_of(array.type)) {
      throw Error(fmt::format("{} is {}, the field '{}' is {}", name, shape_words(array.shape),
                              field_.name, shape_words(field_.shape)),
                  "all samples of a set have the same shape");
    }
    // The order may differ from file to file, so the places of numbers could not be computed once.
    if (array.is_fortran && array.shape.size() > 1)
      throw Error(name + " is in Fortran order", "numpy.ascontiguousarray turns it around");
    const Conversion how{array.type, array.is_big_endian, field_.dtype, recipe_.scale,
                         recipe_.offset};
    const char* numbers = file.data() + array.begin;
    const auto wrong = convert(how, numbers, count, destination);
    if (!wrong) return;
    const char* at = numbers + *wrong * bytes_of(array.type);
    throw Error(fmt::format("{}: {}{} does not fit {} (byte {})", name,
                            number_at(array.type, array.is_big_endian, at),
                            how.scale == 1 && how.offset == 0 ? "" : ", scaled,",
                            word_of(field_.dtype), at - file.data()),
                misfit_remedy(field_, true));
  }

 private:
  recipe::TarField recipe_;
};

}  // namespace

void write_number(double number, const Field& field, const std::string& name,
                  std::byte* destination) {
  write(number, Stored::float64, field, name, destination);
}

void write_number(std::int64_t number, const Field& field, const std::string& name,
                  std::byte* destination) {
  write(number, Stored::int64, field, name, destination);
}

std::unique_ptr<FileReader> make_reader(const std::string& name, const recipe::TarField& field) {
  const std::string& extension = field.extension.at(0);
  const std::string kind = extension.substr(extension.rfind('.') + 1);
  if (kind == "npy") return std::make_unique<ArrayFiles>(name, field);
  if (kind == "json") return make_json_reader(name, field);
  if (kind == "cls" || kind == "txt") return std::make_unique<NumberFiles>(name, field);
  return std::make_unique<ImageFiles>(name, field);  // recipes allow no other extension
}

}  // namespace knead::data
