#include "runner/data/text/kept_tokenizer.h"

#include <fmt/format.h>

#include "runner/data/bpe/bpe.h"
#include "runner/data/text/bytes.h"
#include "runner/data/text/characters.h"
#include "runner/files/bounded_json.h"
#include "runner/files/read.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

std::shared_ptr<const Tokenizer> from(const nlohmann::json& description,
                                      const std::filesystem::path& folder) {
  const auto kind = description.at("tokenizer").get<std::string>();
  if (kind == "bytes") return std::make_shared<const Bytes>();
  if (kind == "characters")
    return std::make_shared<const Characters>(Characters::described_by(description));
  const std::filesystem::path file = folder / description.at("file").get<std::string>();
  return std::make_shared<const Bpe>(
      description.contains("split") ? read_ranks(file, description.at("split").get<std::string>())
                                    : read_tokenizer_json(file),
      file);
}

}  // namespace

std::shared_ptr<const Tokenizer> open_kept_tokenizer(const std::filesystem::path& description) {
  const std::string text = files::read_text(description);
  files::Budget budget(description.string());
  try {
    return from(files::parse_bounded_json(text, budget), description.parent_path());
  } catch (const nlohmann::json::exception&) {
    throw Error(
        fmt::format("'{}' is not a vocabulary that a run has written", description.string()),
        "restore the file, or train again");
  }
}

std::shared_ptr<const Tokenizer> open_tokenizer_json(const std::filesystem::path& path) {
  return std::make_shared<const Bpe>(read_tokenizer_json(path), path);
}

}  // namespace knead::data
