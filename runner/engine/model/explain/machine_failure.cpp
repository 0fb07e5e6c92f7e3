#include "runner/engine/model/explain/machine_failure.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include <fmt/format.h>

#include "runner/engine/tensor/tensor_words.h"
#include "runner/syntax/refusal.h"
#include "schema/document/byte_words.h"
#include "schema/document/error.h"
#include "schema/document/quantity.h"
#include "schema/document/regular_expression.h"
#include "schema/document/standard_streams.h"

namespace knead::engine::model {
namespace {

/// Converts "20.00 MiB" to the form of all messages, "21 MB".
std::string in_our_words(const std::string& text) {
  static constexpr schema::Unit kBytes[] = {schema::Unit::bytes};
  const auto read = schema::read_quantity(text, kBytes);
  const auto* quantity = std::get_if<schema::Quantity>(&read);
  return quantity ? schema::byte_words(quantity->value) : text;
}

/// Returns a sentence such as "this machine has no memory for a tensor of 21 MB"; an empty text if
/// the error has another cause.
std::string no_memory_words(const std::string& text) {
  static const schema::RegularExpression kHost(R"(you tried to allocate (\d+) bytes)");
  static const schema::RegularExpression kGpu(
      R"(CUDA out of memory\. Tried to allocate ([0-9.]+ \w+)\.)"
      R"((?: GPU \d+ has a total capacity of ([0-9.]+ \w+) of which )"
      R"(([0-9.]+ \w+) is free\.)?)");
  if (const auto host = kHost.find(text))
    return "this machine has no memory for a tensor of " +
           schema::byte_words(std::stod((*host)[1]));
  if (const auto gpu = kGpu.find(text)) {
    const std::string &wanted = (*gpu)[1], &total = (*gpu)[2], &free = (*gpu)[3];
    return "the GPU has no memory for a tensor of " + in_our_words(wanted) +
           (total.empty()
                ? ""
                : fmt::format(": of its {}, {} are free", in_our_words(total), in_our_words(free)));
  }
  return text == "std::bad_alloc" ? "this process gets no more memory" : "";
}

/// Throws knead::Error if the text reports a CUDA error. CUDA cannot be used in this process after
/// such an error.
void throw_if_gpu_failed(std::string_view text) {
  constexpr std::string_view kBegin = "CUDA error: ";
  const std::size_t begin = text.find(kBegin);
  if (begin == std::string_view::npos) return;
  const std::string_view rest = text.substr(begin + kBegin.size());
  const std::string_view what = rest.substr(0, rest.find('\n'));
  if (what.starts_with("device-side assert"))
    throw Error(
        "the GPU stopped at an index that is out of range, as of a token that the model "
        "does not have",
        "with device: cpu it is said where", Exit::training_failed);
  throw Error(fmt::format("the GPU failed: {}", what),
              "'nvidia-smi' says how it is; the same command goes on from the last checkpoint",
              Exit::training_failed);
}

std::terminate_handler usual_terminate = nullptr;

/// Ends the process if the exception that nobody can catch is that of a failed GPU.
void end_if_gpu_failed() {
  try {
    if (const auto error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::exception& error) {
    try {
      throw_if_gpu_failed(error.what());
    } catch (const Error& told) {
      const Exit code = complain_of(told);
      std::fflush(nullptr);
      std::_Exit(static_cast<int>(code));
    }
  } catch (...) {
    // no error of LibTorch
  }
}

}  // namespace

OutOfMemory::OutOfMemory(const std::string& message)
    : Error(message,
            "make batch.micro smaller, which changes no number, or name blocks of the model in "
            "activation_checkpointing; 'knead plan' says what takes how much",
            Exit::training_failed) {}

void throw_if_machine_failed(std::string_view text, const Sources& sources) {
  throw_if_gpu_failed(text);
  const std::string message = no_memory_words(std::string(text));
  if (message.empty()) return;
  std::string place;
  try {
    // throw_run_error() finds the model's line; only its place is used.
    throw_run_error(text, sources, [&](const std::string&) { return Explanation{message, ""}; });
  } catch (const syntax::Refusal& refusal) {
    place = schema::to_string(refusal.problem().place) + ": ";
  } catch (const Error&) {
    place = "";  // the line is not known
  }
  throw OutOfMemory(place + message);
}

void with_machine_failures_told(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw_if_machine_failed(error.what(), {});
    throw;
  }
}

void tell_failed_gpu_on_terminate() {
  usual_terminate = std::set_terminate([] {
    end_if_gpu_failed();
    usual_terminate();
  });
}

}  // namespace knead::engine::model
