#include "runner/data/bpe/bpe.h"

#include <deque>
#include <unordered_map>

#include <fmt/format.h>

#include "schema/error.h"

namespace knead::data {
namespace {

/// Texts repeat their pieces: their tokens are looked up before they are worked out.
constexpr std::size_t kRemembered = 1 << 18;
constexpr std::size_t kLongestRemembered = 64;

}  // namespace

/// One text on its way through the model.
class Bpe::Encoding {
 public:
  Encoding(const BpeModel& model, std::string_view text, const std::string& file,
           std::vector<std::uint32_t>& out)
      : model_(model), text_(text), file_(file), out_(out) {}

  void run() {
    expect_utf8(text_, file_);
    each_part(model_.raw, text_, [this](std::string_view part) {
      std::string normal;
      for (const NormalForm form : model_.normal_forms) part = normal = normalize(part, form);
      each_part(model_.normalized, part, [this](std::string_view words) { encode_words(words); });
    });
  }

 private:
  /// Appends the words among the parts of a text; the others go to `use`.
  template <class Use>
  void each_part(const AddedTokens& words, std::string_view text, Use use) {
    std::vector<AddedTokens::Part> parts;
    words.cut(text, parts);
    for (const AddedTokens::Part& part : parts) {
      if (part.is_word) {
        out_.push_back(part.token);
      } else {
        use(part.text);
      }
    }
  }

  void encode_words(std::string_view text) {
    std::deque<std::string> spaced;  // never moves what it holds
    std::vector<std::string_view> pieces{text};
    for (const Stage& stage : model_.stages) {
      std::vector<std::string_view> cut;
      for (std::string_view piece : pieces) {
        if (stage.adds_space && !piece.starts_with(' '))
          piece = spaced.emplace_back(" " + std::string(piece));
        if (stage.splitter) {
          stage.splitter->split(piece, cut);
        } else {
          cut.push_back(piece);
        }
      }
      pieces = std::move(cut);
    }
    for (const std::string_view piece : pieces) encode_piece(piece);
  }

  void encode_piece(std::string_view piece) {
    if (const auto known = known_.find(piece); known != known_.end()) {
      out_.insert(out_.end(), known->second.begin(), known->second.end());
      return;
    }
    const std::size_t before = out_.size();
    if (const auto missing = model_.merges.encode(piece, out_)) refuse(piece, *missing);
    if (piece.size() > kLongestRemembered || known_.size() >= kRemembered) return;
    kept_.emplace_back(piece);
    known_[kept_.back()].assign(out_.begin() + static_cast<std::ptrdiff_t>(before), out_.end());
  }

  [[noreturn]] void refuse(std::string_view piece, std::size_t place) const {
    const auto byte = static_cast<unsigned char>(piece[place]);
    const bool is_of_text =
        piece.data() >= text_.data() && piece.data() < text_.data() + text_.size();
    const std::string where =
        is_of_text ? fmt::format("byte {} of it",
                                 static_cast<std::size_t>(piece.data() - text_.data()) + place)
                   : "a byte of it";
    throw Error(
        fmt::format("{}: {} is 0x{:02X}, for which the tokenizer has no token", file_, where, byte),
        "use a tokenizer that was made with all 256 bytes");
  }

  const BpeModel& model_;
  std::string_view text_;
  const std::string& file_;
  std::vector<std::uint32_t>& out_;
  std::deque<std::string> kept_;
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> known_;  // by piece, in kept_
};

Bpe::Bpe(BpeModel model, std::filesystem::path file)
    : model_(std::move(model)), file_(std::move(file)) {}

void Bpe::encode(std::string_view text, const std::string& file,
                 std::vector<std::uint32_t>& out) const {
  Encoding(model_, text, file, out).run();
}

std::string Bpe::words() const {
  return fmt::format("{} of {}", model_.vocabulary, file_.filename().string());
}

nlohmann::json Bpe::description() const {
  return {{"tokenizer", "bpe"}, {"size", model_.vocabulary}, {"file", model_.kept_as}};
}

}  // namespace knead::data
