#include "runner/data/sets/open.h"

#include <stdexcept>
#include <type_traits>

#include "runner/data/arrays/open_arrays.h"
#include "runner/data/images/image_source.h"
#include "runner/data/sets/data_files.h"
#include "runner/data/sets/kept.h"
#include "runner/data/sets/selection.h"
#include "runner/data/sets/text_files.h"
#include "runner/data/table/csv.h"
#include "runner/data/table/jsonl.h"
#include "runner/data/tar/open_tar.h"
#include "runner/data/text/token_files.h"
#include "runner/data/text/token_windows.h"

namespace knead::data {
namespace {

std::shared_ptr<const Source> open_kind(const recipe::Csv& csv, Opening& /*opening*/) {
  return std::make_shared<const Table>(read_csv(csv));
}

std::shared_ptr<const Source> open_kind(const recipe::Npy& npy, Opening& /*opening*/) {
  return open_npy(npy);
}

std::shared_ptr<const Source> open_kind(const recipe::Npz& npz, Opening& /*opening*/) {
  return open_npz(npz);
}

std::shared_ptr<const Source> open_kind(const recipe::Idx& idx, Opening& /*opening*/) {
  return open_idx(idx);
}

std::shared_ptr<const Source> open_kind(const recipe::Safetensors& safetensors,
                                        Opening& /*opening*/) {
  return open_safetensors(safetensors);
}

std::shared_ptr<const Source> open_kind(const recipe::Jsonl& jsonl, Opening& /*opening*/) {
  return std::make_shared<const Table>(read_jsonl(jsonl));
}

std::shared_ptr<const Source> open_kind(const recipe::Images& images, Opening& /*opening*/) {
  return std::make_shared<const ImageSource>(images);
}

/// Cuts the part of a stream that a set selects into windows.
template <CutsSamples Kind>
std::shared_ptr<const Source> windows_of(std::shared_ptr<const TokenStream> stream,
                                         const Kind& kind, const Opening& opening) {
  const auto context = static_cast<std::uint64_t>(kind.context);
  const TokenRange part = part_of(*stream, kind.rows, context, opening.set);
  const Cutting cutting{context, kind.windows == Kind::Windows::random, opening.seed};
  return std::make_shared<const TokenWindows>(std::move(stream), part, cutting);
}

std::shared_ptr<const Source> open_kind(const recipe::Tar& tar, Opening& /*opening*/) {
  return open_tar(tar);
}

std::shared_ptr<const Source> open_kind(const recipe::Text& text, Opening& opening) {
  return windows_of(open_text(text, opening), text, opening);
}

std::shared_ptr<const Source> open_kind(const recipe::Tokens& tokens, Opening& opening) {
  const auto stream = kept({"tokens", without_selection(tokens), files_of(tokens)},
                           [&] { return open_tokens(tokens); });
  return windows_of(std::static_pointer_cast<const TokenStream>(stream), tokens, opening);
}

std::shared_ptr<const Source> open_kind(const recipe::Mix& /*mix*/, Opening& opening) {
  // The sets of a mix are opened by the caller, which shares sources between equal sets.
  throw std::logic_error(opening.set + " is a mix, whose sets are opened one by one");
}

/// Holds for kinds whose source follows from the files that data_files names. Images are other
/// files than the folder or list of theirs, and of a stream its tokens are kept.
template <class Kind>
concept IsKept = std::is_same_v<Kind, recipe::Csv> || std::is_same_v<Kind, recipe::Jsonl> ||
    std::is_same_v<Kind, recipe::Npy> || std::is_same_v<Kind, recipe::Npz> ||
    std::is_same_v<Kind, recipe::Idx> || std::is_same_v<Kind, recipe::Safetensors>;

}  // namespace

std::shared_ptr<const Source> open(const recipe::DataSet& set, Opening& opening) {
  return std::visit(
      [&]<class Kind>(const Kind& kind) -> std::shared_ptr<const Source> {
        if constexpr (!IsKept<Kind>) return open_kind(kind, opening);
        const auto source = kept({"source", set, files_of(set)}, [&] {
          return std::shared_ptr<const Source>(open_kind(kind, opening));
        });
        return std::static_pointer_cast<const Source>(source);
      },
      set);
}

std::uint64_t tokens_in_sample(const recipe::DataSet& set) {
  return std::visit(
      []<class Kind>(const Kind& kind) -> std::uint64_t {
        if constexpr (CutsSamples<Kind>) return static_cast<std::uint64_t>(kind.context);
        if constexpr (std::is_same_v<Kind, recipe::Mix>)
          return tokens_in_sample(set_of(kind.of.at(0)));  // the same for all its sets
        return 0;
      },
      set);
}

}  // namespace knead::data
