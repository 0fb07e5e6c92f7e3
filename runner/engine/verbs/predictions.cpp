#include "runner/engine/verbs/predictions.h"

#include <cmath>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/engine/tensor/tensor_bytes.h"
#include "runner/files/file.h"
#include "runner/files/safetensors.h"
#include "runner/track/journal.h"
#include "schema/document/csv_cell.h"
#include "schema/document/error.h"
#include "schema/document/json_text.h"

namespace knead::engine {
namespace {

/// Returns the type in which numbers are written: float64, int64 for whole numbers, else float32.
at::ScalarType written_type(const at::Tensor& output) {
  if (output.scalar_type() == at::kDouble) return at::kDouble;
  return at::isIntegralType(output.scalar_type(), /*includeBool=*/true) ? at::kLong : at::kFloat;
}

template <class Number>
std::string number_text(Number value) {
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  }
  return fmt::format("{}", value);
}

/// Gives access to the output as rows of numbers, a row per sample. Formats float32 with the
/// shortest digits that identify the number.
class Rows {
 public:
  explicit Rows(const at::Tensor& output)
      : numbers_(output.to(written_type(output)).contiguous()),
        size_(output.size(0) > 0 ? output.numel() / output.size(0) : 0) {}

  std::int64_t size() const { return size_; }

  std::string text(std::int64_t row, std::int64_t column) const {
    const std::int64_t at = row * size_ + column;
    if (numbers_.scalar_type() == at::kLong)
      return number_text(numbers_.const_data_ptr<std::int64_t>()[at]);
    if (numbers_.scalar_type() == at::kDouble)
      return number_text(numbers_.const_data_ptr<double>()[at]);
    return number_text(numbers_.const_data_ptr<float>()[at]);
  }

 private:
  at::Tensor numbers_;
  std::int64_t size_;
};

std::int64_t class_of(const Predictions& predictions, std::int64_t row) {
  return predictions.classes->const_data_ptr<std::int64_t>()[row];
}

/// Returns the class of a sample as a cell: its name if it has one, else its number.
std::string class_cell(const Predictions& predictions, std::int64_t row) {
  const std::int64_t number = class_of(predictions, row);
  return predictions.class_names.empty() ? fmt::format("{}", number)
                                         : schema::csv_cell(predictions.class_names.at(number));
}

std::string as_csv(const Predictions& predictions) {
  const Rows rows(predictions.output);
  std::string text;
  for (std::int64_t i = 0; i < rows.size(); ++i)
    text += fmt::format("{}output_{}", i == 0 ? "" : ",", i);
  text += predictions.classes ? ",class\n" : "\n";
  for (std::int64_t row = 0; row < predictions.output.size(0); ++row) {
    for (std::int64_t i = 0; i < rows.size(); ++i) text += (i == 0 ? "" : ",") + rows.text(row, i);
    if (predictions.classes) text += "," + class_cell(predictions, row);
    text += "\n";
  }
  return text;
}

/// Returns a tensor as nested lists of numbers.
nlohmann::ordered_json nested(const at::Tensor& numbers) {
  if (numbers.dim() == 0) {
    if (written_type(numbers) == at::kLong) return numbers.item<std::int64_t>();
    return track::number_as_json(numbers.item<double>());
  }
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (std::int64_t i = 0; i < numbers.size(0); ++i) list.push_back(nested(numbers[i]));
  return list;
}

std::string as_json_lines(const Predictions& predictions) {
  std::string text;
  for (std::int64_t row = 0; row < predictions.output.size(0); ++row) {
    nlohmann::ordered_json line{{"output", nested(predictions.output[row])}};
    if (predictions.classes && predictions.class_names.empty())
      line["class"] = class_of(predictions, row);
    else if (predictions.classes)
      line["class"] = predictions.class_names.at(class_of(predictions, row));
    text += schema::json_text(line) + "\n";
  }
  return text;
}

/// Returns an array in version 1.0 of the npy format (numpy.lib.format). The header is padded so
/// that the data begin at a multiple of 64 bytes.
std::string as_npy(const at::Tensor& output) {
  const at::Tensor numbers = output.to(written_type(output)).contiguous();
  std::string shape;
  for (const std::int64_t size : numbers.sizes()) shape += fmt::format("{},", size);
  std::string header =
      fmt::format("{{'descr': '<{}{}', 'fortran_order': False, 'shape': ({}), }}",
                  numbers.scalar_type() == at::kLong ? 'i' : 'f', numbers.element_size(), shape);
  header.append((64 - (10 + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(header.size() & 0xff);
  text += static_cast<char>(header.size() >> 8);
  return text + header +
         std::string(static_cast<const char*>(numbers.const_data_ptr()), numbers.nbytes());
}

std::vector<files::TensorBytes> tensors_of(const Predictions& predictions) {
  std::vector<files::TensorBytes> tensors{copy_bytes({"output", predictions.output}, "", nullptr)};
  if (predictions.classes)
    tensors.push_back(copy_bytes({"class", *predictions.classes}, "", nullptr));
  return tensors;
}

}  // namespace

void expect_known_format(const std::filesystem::path& path) {
  for (const char* known : {".csv", ".jsonl", ".npy", ".safetensors"}) {
    if (path.extension() == known) return;
  }
  throw Error(fmt::format("'{}' does not say how to write predictions", path.string()),
              "give it a name that ends in .csv, .jsonl, .npy or .safetensors",
              Exit::invalid_recipe);
}

void write_predictions(const Predictions& predictions, files::FileSystem& disk,
                       const std::filesystem::path& path) {
  const std::string format = path.extension();
  if (format == ".safetensors") {
    const auto tensors = tensors_of(predictions);
    files::publish(disk, path, files::safetensors(tensors, {}));
    return;
  }
  files::publish(disk, path,
                 format == ".csv"     ? as_csv(predictions)
                 : format == ".jsonl" ? as_json_lines(predictions)
                                      : as_npy(predictions.output));
}

}  // namespace knead::engine
