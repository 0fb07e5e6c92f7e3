#include "runner/data/bpe/pre_tokenizer.h"

#include <algorithm>

#include "runner/data/bpe/byte_letters.h"

namespace knead::data {
namespace {

/// Applies one step to pieces, one after another.
class Step {
 public:
  Step(std::vector<Piece>& out, std::deque<std::string>& written, files::Budget& budget)
      : out_(out), written_(written), budget_(budget) {}

  void take(const Splitter& splitter, Piece piece) {
    cut_.clear();
    splitter.split(piece.text, cut_, budget_);
    for (const std::string_view each : cut_) {
      const auto begin = static_cast<std::size_t>(each.data() - piece.text.data());
      const std::size_t end = std::min(piece.head, begin + each.size());
      out_.push_back({each, end > begin ? end - begin : 0});
    }
  }

  void take(const Prefix& prefix, Piece piece) {
    const bool is_wanted = piece.head > 0 || !prefix.is_for_first_only;
    if (!is_wanted || piece.text.starts_with(prefix.text)) {
      out_.push_back(piece);
    } else {
      write(prefix.text + std::string(piece.text),
            piece.head > 0 ? piece.head + prefix.text.size() : 0);
    }
  }

  void take(const ReplaceSpaces& replace, Piece piece) {
    if (piece.text.find(' ') == piece.text.npos) return out_.push_back(piece);
    std::string text;
    std::size_t head = 0;
    for (std::size_t i = 0; i < piece.text.size(); ++i) {
      if (piece.text[i] == ' ') {
        text += replace.text;
      } else {
        text += piece.text[i];
      }
      if (i < piece.head) head = text.size();
    }
    write(std::move(text), head);
  }

  void take(SpellBytes /*step*/, Piece piece) {
    write(letters_of_bytes(piece.text), letters_of_bytes(piece.text.substr(0, piece.head)).size());
  }

 private:
  // A deque keeps its elements in place, so earlier pieces stay valid when text is added.
  void write(std::string text, std::size_t head) {
    out_.push_back({written_.emplace_back(std::move(text)), head});
  }

  std::vector<Piece>& out_;
  std::deque<std::string>& written_;
  files::Budget& budget_;
  std::vector<std::string_view> cut_;
};

}  // namespace

std::vector<Piece> pre_tokenized(const std::vector<PreTokenizerStep>& steps, Piece piece,
                                 std::deque<std::string>& written, files::Budget& budget) {
  std::vector<Piece> pieces{piece};
  for (const PreTokenizerStep& step : steps) {
    std::vector<Piece> made;
    Step taken(made, written, budget);
    for (const Piece& each : pieces) {
      budget.work(1 + each.text.size());
      std::visit([&](const auto& known) { taken.take(known, each); }, step);
    }
    pieces = std::move(made);
  }
  return pieces;
}

}  // namespace knead::data
