#include "tests/checkpoint/shards.h"

#include <algorithm>

#include "runner/checkpoint/names.h"
#include "runner/checkpoint/pieces.h"

namespace knead::tests {

namespace {

using checkpoint::Part;
using checkpoint::Piece;

std::string parameter_of(const std::string& tensor) { return tensor.substr(0, tensor.rfind('/')); }

/// The parameters that the tensors of a part belong to, with the largest shape of each.
std::map<std::string, std::vector<std::int64_t>> parameters_in(const Part& part) {
  std::map<std::string, std::vector<std::int64_t>> out;
  for (const files::TensorBytes& tensor : part.tensors) {
    auto& shape = out[parameter_of(tensor.name)];
    if (tensor.shape.size() > shape.size()) shape = tensor.shape;
  }
  return out;
}

/// The pieces of one rank: the numbers [begin, end) of all parameters one after another.
std::map<std::string, Piece> pieces_within(
    const std::map<std::string, std::vector<std::int64_t>>& parameters, std::int64_t begin,
    std::int64_t end, bool cut) {
  std::map<std::string, Piece> out;
  std::int64_t at = 0;
  for (const auto& [name, shape] : parameters) {
    const std::int64_t count = checkpoint::numbers_of(shape);
    const std::int64_t first = std::max(at, begin), last = std::min(at + count, end);
    if (!cut && at >= begin && at < end) out[name] = {0, count, shape};
    if (cut && first < last) out[name] = {first - at, last - first, shape};
    at += count;
  }
  return out;
}

files::TensorBytes piece_of(const files::TensorBytes& tensor, const Piece& piece) {
  if (piece.count == checkpoint::numbers_of(piece.shape) || tensor.shape.empty()) return tensor;
  const auto width =
      static_cast<std::int64_t>(tensor.bytes.size()) / checkpoint::numbers_of(tensor.shape);
  const auto begin = tensor.bytes.begin() + piece.begin * width;
  return {tensor.name, tensor.dtype, {piece.count}, {begin, begin + piece.count * width}};
}

/// The part of one rank of a file whose numbers are shared out.
Part pieces_of_part(const Part& part, int rank, int ranks, bool cut) {
  const auto parameters = parameters_in(part);
  std::int64_t all = 0;
  for (const auto& [name, shape] : parameters) all += checkpoint::numbers_of(shape);
  const auto pieces = pieces_within(parameters, all * rank / ranks, all * (rank + 1) / ranks, cut);
  Part out{checkpoint::shard_name({part.file, rank, ranks}), {}, part.metadata};
  for (const files::TensorBytes& tensor : part.tensors) {
    const auto piece = pieces.find(parameter_of(tensor.name));
    if (piece != pieces.end()) out.tensors.push_back(piece_of(tensor, piece->second));
  }
  for (const auto& [name, piece] : pieces) {
    if (piece.count != checkpoint::numbers_of(piece.shape))
      checkpoint::note_piece(out.metadata, name, piece);
  }
  return out;
}

/// The part of one rank of the model: whole tensors.
Part model_of_rank(const Part& part, int rank, int ranks) {
  std::vector<std::uint64_t> sizes;
  for (const files::TensorBytes& tensor : part.tensors) sizes.push_back(tensor.bytes.size());
  const std::vector<int> dealt = checkpoint::deal_by_size(sizes, ranks);
  Part out{checkpoint::shard_name({part.file, rank, ranks}), {}, {}};
  if (rank == 0) out.metadata = part.metadata;
  for (std::size_t i = 0; i < dealt.size(); ++i) {
    if (dealt[i] == rank) out.tensors.push_back(part.tensors[i]);
  }
  return out;
}

}  // namespace

std::vector<checkpoint::RankParts> cut_for_ranks(const checkpoint::Snapshot& snapshot, int ranks,
                                                 bool cut) {
  std::vector<checkpoint::RankParts> out(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    checkpoint::RankParts& own = out[static_cast<std::size_t>(rank)];
    for (const Part& part : snapshot.parts) {
      own.parts.push_back(part.file == checkpoint::kModelFile
                              ? model_of_rank(part, rank, ranks)
                              : pieces_of_part(part, rank, ranks, cut));
      for (const files::TensorBytes& tensor : own.parts.back().tensors)
        own.tensors.add(own.parts.back().file, tensor, tensor.bytes);
    }
  }
  return out;
}

checkpoint::SharedSave written_by_ranks(files::FileSystem& files, checkpoint::Store& store,
                                        const checkpoint::Snapshot& snapshot,
                                        const std::vector<checkpoint::RankParts>& ranks) {
  std::uint64_t size = 0;
  for (const checkpoint::RankParts& rank : ranks) size += checkpoint::size_on_disk(rank.parts);
  checkpoint::SharedSave save{
      snapshot.step, store.begin_shared(snapshot.step, size), snapshot.state, snapshot.facts, {}};
  for (const checkpoint::RankParts& rank : ranks)
    save.ranks.push_back(checkpoint::rank_result(
        checkpoint::to_text(checkpoint::write_parts(files, save.folder, rank))));
  return save;
}

}  // namespace knead::tests
