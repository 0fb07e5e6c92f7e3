#include "runner/data/images/image_list.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "runner/data/images/image_folders.h"
#include "runner/data/table/categories.h"
#include "runner/data/table/cell.h"
#include "runner/data/table/csv_rows.h"
#include "runner/files/digest.h"
#include "runner/files/read.h"
#include "runner/files/sample_digest.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

namespace fs = std::filesystem;

bool is_list(const fs::path& path) { return path.extension() == ".csv"; }

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  });
  return text;
}

ImageList images_in_folders(const recipe::Images& images) {
  // Where the classes are known, images may be there without labels, to predict from.
  if (images.classes && is_flat(images.path)) return {images.path, images_below(images.path), {}};
  const Categories classes(classes_of(images));
  ImageList list{images.path, {}, {}};
  for (const std::string& name : folders_in(images.path)) {
    const std::int64_t label = classes.number_of(name, images.path.string(), "classes");
    const std::vector<std::string> files = images_below(images.path / name);
    if (files.empty() && !images.classes)
      throw Error(fmt::format("{} has no image", (images.path / name).string()),
                  "each folder is a class: remove it, or write classes");
    for (const std::string& file : files) {
      list.paths.push_back(name + "/" + file);
      list.labels.push_back(label);
    }
  }
  return list;
}

/// Describes a row of a list: "cat/1.jpg,cat".
struct Listed {
  std::string path;
  std::optional<std::string> label;
  std::uint64_t line = 0;
};

/// Reads a list of images and skips a header. Throws knead::Error for a row with more than two
/// columns or another number than the first row.
std::vector<Listed> read_list(const fs::path& path) {
  const std::string text = files::read_text(path);
  CsvRows rows(text, ',', path.string());
  std::vector<Listed> out;
  std::size_t width = 0;
  for (bool is_first = true; rows.next(); is_first = false) {
    const auto& cells = rows.cells();
    if (is_first) width = cells.size();
    if (cells.size() != width || width > 2) {
      throw Error(fmt::format("{}:{}: {} columns", path.string(), rows.line(), cells.size()),
                  "a list of images has two columns, path and label, or only path");
    }
    // A list made by a program mostly has a header, and no image is called like one.
    static const std::set<std::string> kHeaders{"path", "file", "filename", "image"};
    if (is_first && kHeaders.contains(lower(std::string(cells[0])))) continue;
    out.push_back({std::string(trimmed(cells[0])), std::nullopt, rows.line()});
    if (width == 2) out.back().label = std::string(trimmed(cells[1]));
  }
  return out;
}

/// Throws knead::Error for labels of which it is doubtful which class they name: a missing one, a
/// number that is not whole, and a word beside numbers.
void expect_labels(const std::vector<Listed>& rows, const fs::path& file) {
  const Listed* number = nullptr;
  const Listed* word = nullptr;
  for (const Listed& row : rows) {
    if (!row.label) return;
    const std::string where = fmt::format("{}:{}", file.string(), row.line);
    if (row.label->empty())
      throw Error(fmt::format("{}: the label is missing", where),
                  "give each image a label, or leave the column out");
    const bool is_whole = integer_in(*row.label).has_value();
    if (!is_whole && number_in(*row.label))
      throw Error(fmt::format("{}: the label {} is no whole number", where, *row.label),
                  "labels of images are classes: whole numbers from 0, or words");
    const Listed*& first = is_whole ? number : word;
    if (!first) first = &row;
  }
  if (number && word)
    throw Error(fmt::format("{}: '{}' in line {} is a word, {} in line {} a number", file.string(),
                            *word->label, word->line, *number->label, number->line),
                "label all images by words or by numbers, or write classes");
}

/// Returns whether all labels of a list are integers.
bool has_numbers(const std::vector<Listed>& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const Listed& row) {
    return row.label && integer_in(*row.label).has_value();
  });
}

ImageList images_in_list(const recipe::Images& images) {
  const std::vector<Listed> rows = read_list(images.path);
  const Categories classes(classes_of(images));
  ImageList list{images.path.parent_path(), {}, {}};
  for (const Listed& row : rows) {
    const std::string where = fmt::format("{}:{}", images.path.string(), row.line);
    list.paths.push_back(row.path);
    if (!row.label) continue;
    list.labels.push_back(classes.size() == 0 ? integer_in(*row.label).value()
                                              : classes.number_of(*row.label, where, "classes"));
  }
  return list;
}

}  // namespace

std::vector<std::string> classes_of(const recipe::Images& images) {
  if (images.classes) return *images.classes;
  if (!is_list(images.path)) return folders_in(images.path);
  const std::vector<Listed> rows = read_list(images.path);
  expect_labels(rows, images.path);
  if (has_numbers(rows)) return {};
  std::set<std::string> words;
  for (const Listed& row : rows) {
    if (row.label) words.insert(*row.label);
  }
  return {words.begin(), words.end()};
}

bool labels_are_numbers(const recipe::Images& images) {
  if (images.classes || !is_list(images.path)) return false;
  const std::vector<Listed> rows = read_list(images.path);
  return !rows.empty() && has_numbers(rows);
}

ImageList list_images(const recipe::Images& images) {
  if (images.classes && is_image(images.path))
    return {images.path.parent_path(), {images.path.filename()}, {}};
  ImageList list = is_list(images.path) ? images_in_list(images) : images_in_folders(images);
  if (list.paths.empty())
    throw Error(images.path.string() + ": no images", "JPEG and PNG files are read");
  return list;
}

std::string images_digest(const recipe::Images& images) {
  constexpr std::size_t kSampled = 16;
  const ImageList list = list_images(images);
  std::string all;
  for (std::size_t i = 0; i < list.paths.size(); ++i) {
    all += list.paths[i];
    all += list.labels.empty() ? "\n" : fmt::format(" {}\n", list.labels[i]);
  }
  const std::size_t step = std::max<std::size_t>(1, list.paths.size() / kSampled);
  for (std::size_t i = 0; i < list.paths.size(); i += step)
    all += files::sample_digest(list.folder / list.paths[i]) + "\n";
  return fmt::format("{} images, {}", list.paths.size(), files::digest(all));
}

}  // namespace knead::data
