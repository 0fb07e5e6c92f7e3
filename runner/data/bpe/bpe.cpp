#include "runner/data/bpe/bpe.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include <fmt/format.h>

#include "runner/data/bpe/byte_letters.h"
#include "runner/data/bpe/character_class.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

/// Texts repeat their pieces, so the tokens of this many pieces are cached.
constexpr std::size_t kRemembered = 1 << 18;
constexpr std::size_t kLongestRemembered = 64;  // bytes of a piece
/// Steps of work for a byte of a text. Tokenizers in use take some 20.
constexpr std::uint64_t kWorkOfByte = 200;

}  // namespace

/// Encodes one text and holds the cache of its pieces.
class Bpe::Encoding {
 public:
  Encoding(const BpeModel& model, std::string_view text, const std::string& file,
           std::vector<std::uint32_t>& out)
      : model_(model), text_(text), file_(file), out_(out), budget_(file) {
    budget_.allow_work(kWorkOfByte * text.size());
  }

  void run() {
    expect_utf8(text_, file_);
    std::size_t head = 0;
    if (!text_.empty()) next_character(text_, head);
    each_part(model_.raw, {text_, head}, [this](Piece part) {
      if (model_.normalizer.empty()) return encode_normal(part);
      const NormalText normal =
          normalized(model_.normalizer, {std::string(part.text), part.head}, budget_);
      encode_normal({normal.text, normal.head});
    });
  }

 private:
  /// Appends the tokens of added words in a text and passes the parts between them to `use`.
  template <class Use>
  void each_part(const AddedTokens& words, Piece text, Use use) {
    std::vector<AddedTokens::Part> parts;
    words.cut(text.text, parts, budget_);
    for (const AddedTokens::Part& part : parts) {
      if (part.is_word) {
        out_.push_back(part.token);
      } else {
        const auto begin = static_cast<std::size_t>(part.text.data() - text.text.data());
        use(Piece{part.text, std::max(text.head, begin) - begin});
      }
    }
  }

  void encode_normal(Piece text) {
    each_part(model_.normalized, text, [this](Piece part) {
      std::deque<std::string> written;
      for (const Piece& piece : pre_tokenized(model_.pre_tokenizer, part, written, budget_))
        encode_piece(piece.text);
    });
  }

  void encode_piece(std::string_view piece) {
    if (const auto known = known_.find(piece); known != known_.end()) {
      out_.insert(out_.end(), known->second.begin(), known->second.end());
      return;
    }
    const std::size_t before = out_.size();
    if (model_.spells_bytes) {
      const std::string letters = letters_of_bytes(piece);
      if (const auto missing = model_.merges.encode(letters, out_))
        refuse_byte(piece, letters_before(letters, *missing));
    } else if (const auto missing = model_.merges.encode(piece, out_)) {
      refuse_character(piece.substr(*missing));
    }
    if (piece.size() > kLongestRemembered || known_.size() >= kRemembered) return;
    kept_.emplace_back(piece);
    known_[kept_.back()].assign(out_.begin() + static_cast<std::ptrdiff_t>(before), out_.end());
  }

  /// Counts the letters before an offset. Each letter stands for a byte, so the count is the offset
  /// of the byte.
  static std::size_t letters_before(std::string_view letters, std::size_t end) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < end; ++count) next_character(letters, at);
    return count;
  }

  [[noreturn]] void refuse_byte(std::string_view piece, std::size_t place) const {
    const auto byte = static_cast<unsigned char>(piece[place]);
    // A piece that a step has rewritten has no offset in the text.
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

  [[noreturn]] void refuse_character(std::string_view text) const {
    std::size_t end = 0;
    const char32_t character = next_character(text, end);
    throw Error(fmt::format("{}: the tokenizer has no token for '{}' (U+{:04X})", file_,
                            text.substr(0, end), static_cast<std::uint32_t>(character)),
                "use a tokenizer with byte_fallback or an unk_token in its vocabulary");
  }

  const BpeModel& model_;
  std::string_view text_;
  const std::string& file_;
  std::vector<std::uint32_t>& out_;
  files::Budget budget_;
  std::deque<std::string> kept_;
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> known_;  // by piece, in kept_
};

Bpe::Bpe(BpeModel model, std::filesystem::path file)
    : model_(std::move(model)), file_(std::move(file)) {}

void Bpe::encode(std::string_view text, const std::string& file,
                 std::vector<std::uint32_t>& out) const {
  Encoding(model_, text, file, out).run();
}

std::string Bpe::decode(std::span<const std::uint32_t> tokens) const {
  if (!model_.undecodable.empty())
    throw Error(model_.undecodable, "take another tokenizer, or the tokens as numbers");
  std::vector<std::string> words;
  for (const std::uint32_t token : tokens) {
    if (const auto added = model_.added_words.find(token); added != model_.added_words.end()) {
      words.push_back(added->second);
    } else if (const auto word = model_.merges.word(token)) {
      words.emplace_back(*word);
    }
  }
  return decoded(model_.decoder, std::move(words));
}

std::string Bpe::words() const {
  return fmt::format("{} of {}", model_.vocabulary, file_.filename().string());
}

nlohmann::json Bpe::description() const {
  nlohmann::json all{{"tokenizer", "bpe"}, {"size", model_.vocabulary}, {"file", model_.kept_as}};
  if (!model_.split.empty()) all["split"] = model_.split;
  return all;
}

}  // namespace knead::data
