#include "runner/engine/train/export.h"

#include <exception>
#include <ostream>
#include <span>
#include <streambuf>

#include <fmt/format.h>

#include "runner/checkpoint/weights_files.h"
#include "runner/engine/job/model_place.h"
#include "runner/engine/tensor/scratch_tensors.h"
#include "runner/files/file.h"
#include "runner/weights/write.h"
#include "schema/document/error.h"

namespace knead::engine {

namespace {

/// Passes what is written to a stream on to a file. A model of several ranks may be larger than the
/// memory, so that its tensors lie in files: those that are written leave the memory.
class ToFile final : public std::streambuf {
 public:
  explicit ToFile(const files::Sink& sink) : sink_(sink) {}

 private:
  std::streamsize xsputn(const char* begin, std::streamsize size) override {
    sink_(std::as_bytes(std::span(begin, static_cast<std::size_t>(size))));
    since_ += static_cast<std::uint64_t>(size);
    if (since_ >= ScratchTensors::kAtOnce) {
      ScratchTensors::put_away();
      since_ = 0;
    }
    return size;
  }

  int_type overflow(int_type byte) override {
    const char letter = traits_type::to_char_type(byte);
    xsputn(&letter, 1);
    return byte;
  }

  const files::Sink& sink_;
  std::uint64_t since_ = 0;  // bytes
};

}  // namespace

void write_archive(const model::Model& model, files::FileSystem& disk,
                   const std::filesystem::path& path) {
  const InHostMemory there(model);
  files::publish(disk, path, [&model](const files::Sink& sink) {
    // LibTorch turns a failure into an error of its own, so it is kept for the caller.
    std::exception_ptr failure;
    const files::Sink guarded = [&](std::span<const std::byte> bytes) {
      if (failure) return;
      try {
        sink(bytes);
      } catch (...) {
        failure = std::current_exception();
      }
    };
    ToFile buffer(guarded);
    std::ostream archive(&buffer);
    model.save(archive);
    if (failure) std::rethrow_exception(failure);
  });
}

std::filesystem::path write_weights(const checkpoint::EvaluatedTensors& weights,
                                    const WeightsFile& file, files::FileSystem& disk) {
  if (file.format == recipe::Export::To::torch) {
    files::publish(disk, file.path, weights::torch_file(weights.tensors, weights.metadata));
    return file.path;
  }
  if (file.max_shard && file.path.extension() != ".safetensors")
    throw Error(fmt::format("'{}' cannot be cut into parts, as export.max_shard asks for",
                            file.path.string()),
                "give it a name that ends in .safetensors", Exit::invalid_recipe);
  return checkpoint::write_safetensors(weights, file.max_shard, disk, file.path);
}

const char* export_name(recipe::Export::To format) {
  switch (format) {
    case recipe::Export::To::torchscript: return "model.pt";
    case recipe::Export::To::safetensors: return "model.safetensors";
    case recipe::Export::To::torch: return "model.torch.pt";
  }
  return "";
}

std::optional<std::uint64_t> most_in_a_part(const std::optional<recipe::Export>& rule) {
  if (!rule || !rule->max_shard) return std::nullopt;
  return static_cast<std::uint64_t>(rule->max_shard->value);
}

}  // namespace knead::engine
