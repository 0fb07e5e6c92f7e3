#include "runner/track/sinks/tensorboard.h"

#include <chrono>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "runner/files/base64.h"
#include "runner/track/markdown.h"
#include "runner/track/sinks/crc.h"
#include "runner/track/sinks/wire.h"
#include "schema/document/error.h"

namespace knead::track {
namespace {

namespace fs = std::filesystem;

// The numbers of fields and enumerators here and below are those of TensorFlow's event.proto,
// summary.proto and tensor.proto, and of TensorBoard's hparams plug-in.
constexpr int kRestart = 1;      // SessionLog.START
constexpr int kTensorClass = 2;  // DATA_CLASS_TENSOR
constexpr int kStrings = 7;      // DT_STRING
constexpr int kSuccess = 1;      // STATUS_SUCCESS
constexpr int kFailure = 2;      // STATUS_FAILURE

std::string little(std::uint64_t value, int size) {
  std::string bytes;
  for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> 8 * i);
  return bytes;
}

/// Returns the masked CRC-32C of the TFRecord format: rotated by 15 bits, plus a constant.
std::string masked_checksum(std::string_view bytes) {
  const std::uint32_t crc = crc32c(bytes);
  return little(((crc >> 15) | (crc << 17)) + 0xa282ead8u, 4);
}

/// Returns an event with the present time and a step, and without content.
Wire event(std::uint64_t step) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  Wire wire;
  wire.number(1, std::chrono::duration<double>(now).count());
  wire.integer(2, static_cast<std::int64_t>(step));
  return wire;
}

Wire scalar(const std::string& tag, double value) {
  return Wire().bytes(1, tag).number(2, static_cast<float>(value));
}

/// Returns the SummaryMetadata of a plug-in.
Wire for_plugin(std::string_view plugin, std::string_view content) {
  return Wire().message(1, Wire().bytes(1, plugin).bytes(2, content)).integer(4, kTensorClass);
}

/// Returns a summary value that the text plug-in shows as Markdown.
Wire text(std::string_view tag, const std::string& markdown) {
  const Wire tensor = Wire()
                          .integer(1, kStrings)
                          .message(2, Wire().message(2, Wire().integer(1, 1)))
                          .bytes(8, markdown);
  return Wire().bytes(1, tag).message(8, tensor).message(9, for_plugin("text", ""));
}

Wire hparams_value(const std::variant<bool, double, std::string>& value) {
  if (const auto* yes = std::get_if<bool>(&value)) return Wire().integer(4, *yes);
  if (const auto* number = std::get_if<double>(&value)) return Wire().number(2, *number);
  return Wire().bytes(3, std::get<std::string>(value));
}

/// Returns the value of HParamInfo.type: 1 for a string, 2 for a bool, 3 for a float64.
int hparams_type(const std::variant<bool, double, std::string>& value) {
  return std::holds_alternative<bool>(value) ? 2 : std::holds_alternative<double>(value) ? 3 : 1;
}

Wire hparams(std::string_view tag, int field, const Wire& content) {
  return Wire().bytes(1, tag).message(
      9, for_plugin("hparams", Wire().integer(1, 0).message(field, content).text()));
}

/// Returns the prompt, and the text as a block in which nothing is Markdown.
std::string markdown_of(const GeneratedText& generated) {
  return "**" + markdown_text(generated.prompt) + "**\n\n" + markdown_block(generated.text);
}

/// Returns a summary value that the histogram plug-in shows.
Wire histogram(const Histogram& values) {
  const Wire content = Wire()
                           .number(1, values.least)
                           .number(2, values.largest)
                           .number(3, static_cast<double>(values.numbers))
                           .number(4, values.sum)
                           .number(5, values.sum_of_squares)
                           .numbers(6, values.limits)
                           .numbers(7, values.counts);
  return Wire().bytes(1, values.name).message(5, content);
}

/// Returns the 4 bytes at a place of a PNG file as a number.
std::int64_t png_number(std::string_view png, std::size_t at) {
  std::int64_t number = 0;
  for (std::size_t i = 0; i < 4; ++i)
    number = number << 8 | static_cast<unsigned char>(png[at + i]);
  return number;
}

/// Returns how many numbers a pixel has, by the colour type of a PNG file.
std::int64_t png_channels(char colour) {
  return colour == 0 ? 1 : colour == 4 ? 2 : colour == 6 ? 4 : 3;
}

/// Adds the pictures of predictions as values that the image plug-in shows.
void add_pictures(const std::string& tag, const std::vector<Prediction>& predictions,
                  Wire& summary) {
  constexpr std::size_t kHead = 26;  // bytes of a PNG file to the end of its colour type
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const auto png = files::from_base64(predictions[i].picture);
    if (!png || png->size() < kHead) continue;
    const Wire image = Wire()
                           .integer(1, png_number(*png, 20))
                           .integer(2, png_number(*png, 16))
                           .integer(3, png_channels((*png)[kHead - 1]))
                           .bytes(4, *png);
    summary.message(1, Wire().bytes(1, fmt::format("{}/{}", tag, i + 1)).message(4, image));
  }
}

class TensorBoard final : public Sink {
 public:
  TensorBoard(const About& about, Warn warn)
      : files_(count_files(about.folder)), file_(next_file(about.folder), 0, std::move(warn)) {
    write(event(0).bytes(3, "brain.Event:2"));  // the version of the file format comes first
    if (files_ > 0) {
      // TensorBoard drops the events from this step on that it has read from earlier files.
      const std::uint64_t forgotten = about.step == 0 ? 0 : about.step + 1;
      write(event(forgotten).message(7, Wire().integer(1, kRestart)));
    }
    Wire summary;
    summary.message(1, text("recipe", "```yaml\n" + about.recipe + "\n```"));
    add_hyperparameters(about, summary);
    write(event(about.step).message(5, summary));
  }

  bool is_new() const override { return files_ == 0; }

  void report(const Report& report) override {
    Wire summary;
    for (const ReportField& field : fields_of(report)) {
      // TensorBoard draws over the step, so the axes of a report need no curve.
      if (field.is_axis) continue;
      const auto add = [&](auto member) {
        summary.message(
            1, scalar(fmt::format("train/{}", field.name), static_cast<double>(report.*member)));
      };
      std::visit(add, field.member);
    }
    write(event(report.step).message(5, summary));
  }

  void evaluated(const plan::Evaluation& evaluation) override {
    Wire summary;
    for (const auto& [name, value] : evaluation.values)
      summary.message(1, scalar(evaluation.set + "/" + name, value));
    write(event(evaluation.step).message(5, summary));
  }

  void generated(const GeneratedText& generated) override {
    Wire summary;
    summary.message(1, text(generated_tag(generated), markdown_of(generated)));
    write(event(generated.step).message(5, summary));
  }

  void predicted(const Predictions& predictions) override {
    Wire summary;
    add_pictures(predictions.set + "/worst", predictions.worst, summary);
    add_pictures(predictions.set + "/best", predictions.best, summary);
    if (!summary.text().empty()) write(event(predictions.step).message(5, summary));
  }

  void spread(const Histograms& histograms) override {
    Wire summary;
    for (const Histogram& each : histograms.all)
      if (each.numbers > 0) summary.message(1, histogram(each));
    if (!summary.text().empty()) write(event(histograms.step).message(5, summary));
  }

  void ended(RunEnd end) override {
    // TensorBoard takes a session without an end for one that is running, as a stopped run will be.
    if (end == RunEnd::stopped) return;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const Wire session = Wire()
                             .integer(1, end == RunEnd::finished ? kSuccess : kFailure)
                             .number(2, std::chrono::duration<double>(now).count());
    write(
        event(0).message(5, Wire().message(1, hparams("_hparams_/session_end_info", 4, session))));
  }

  void add_positions(Positions&) const override {}

 private:
  static std::size_t count_files(const fs::path& folder) {
    std::error_code missing;
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder / kTensorBoardFolder, missing))
      count += entry.path().filename().string().starts_with("events.out.tfevents.");
    return count;
  }

  /// Returns the path of the next event file. TensorBoard reads the files of a folder in the order
  /// of their names, so the name contains the time and the number of earlier files.
  fs::path next_file(const fs::path& folder) const {
    std::error_code error;
    fs::create_directory(folder / kTensorBoardFolder, error);
    if (error)
      throw Error(fmt::format("cannot make {}: {}", (folder / kTensorBoardFolder).string(),
                              error.message()));
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return folder / kTensorBoardFolder /
           fmt::format("events.out.tfevents.{:010}.knead.{:04}",
                       std::chrono::duration_cast<std::chrono::seconds>(now).count(), files_);
  }

  static void add_hyperparameters(const About& about, Wire& summary) {
    Wire experiment;
    Wire session;
    for (const auto& [name, value] : about.hyperparameters) {
      experiment.message(4, Wire().bytes(1, name).integer(4, hparams_type(value)));
      session.message(1, Wire().bytes(1, name).message(2, hparams_value(value)));
    }
    for (const std::string& metric : about.evaluated)
      experiment.message(5, Wire().message(1, Wire().bytes(2, metric)));
    summary.message(1, hparams("_hparams_/experiment", 2, experiment));
    summary.message(1, hparams("_hparams_/session_start_info", 3, session));
  }

  void write(const Wire& event) { file_.append_record(event_record(event.text())); }

  std::size_t files_;  // of earlier starts
  Journal file_;
};

}  // namespace

std::string event_record(std::string_view event) {
  const std::string length = little(event.size(), 8);
  return length + masked_checksum(length) + std::string(event) + masked_checksum(event);
}

std::unique_ptr<Sink> make_tensorboard(const About& about, Warn warn) {
  return std::make_unique<TensorBoard>(about, std::move(warn));
}

}  // namespace knead::track
