#include "runner/engine/train/sharded_snapshot.h"

#include <map>
#include <new>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "runner/checkpoint/names.h"
#include "runner/checkpoint/pieces.h"
#include "runner/engine/tensor/tensor_bytes.h"
#include "runner/engine/train/parts.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

using checkpoint::JoinedTensor;
using checkpoint::TensorReader;

/// Returns the name of the parameter to which a tensor of the optimizer belongs.
std::string parameter_of(const std::string& tensor) { return tensor.substr(0, tensor.rfind('/')); }

/// Returns whether a piece is a part of its parameter, and not all of it in its shape.
bool is_cut(const at::Tensor& piece, const parallel::PiecePlace& place) {
  return piece.sizes() != c10::IntArrayRef(place.shape);
}

/// Returns the shard that writes each tensor of the model, by name.
std::map<std::string, int> deal_model(const NamedTensors& weights, int shards) {
  std::vector<std::uint64_t> sizes;
  for (const NamedTensor& tensor : weights)
    sizes.push_back(static_cast<std::uint64_t>(tensor.tensor.numel()) *
                    tensor.tensor.element_size());
  const std::vector<int> dealt = checkpoint::deal_by_size(sizes, shards);
  std::map<std::string, int> out;
  for (std::size_t i = 0; i < dealt.size(); ++i) out[weights[i].name] = dealt[i];
  return out;
}

/// Copies what one rank writes, part by part.
class Copies {
 public:
  Copies(const Owners& owners, parallel::Shards& shards) : owners_(owners), shards_(shards) {
    for (const NamedTensor& parameter : owners.model.parameters()) {
      if (shards.is_sharded(parameter.tensor)) divided_.insert(parameter.name);
    }
    // Each rank has buffers of its own, as the statistics of BatchNorm; those of rank 0 are saved.
    for (const NamedTensor& buffer : buffers_of(owners.model, true)) dealt_[buffer.name] = 0;
  }

  /// Copies all that this rank needs no other for.
  void add_own() {
    checkpoint::Part& model = add_part(checkpoint::kModelFile);
    model.metadata["format"] = "pt";  // without it transformers refuses a file with metadata
    // Readers look for a weight that is tied in the file that names it.
    for (const model::Alias& alias : owners_.model.aliases()) {
      const auto dealt = dealt_.find(alias.of);
      const int shard = dealt == dealt_.end() ? 0 : dealt->second;
      if (shard == shards_.shard()) model.metadata["alias:" + alias.name] = alias.of;
    }
    for (const NamedTensor& tensor : weights_of(owners_.model)) {
      if (!divided_.contains(tensor.name)) add_to_model(tensor);
    }
    add_pieces(checkpoint::kOptimizerFile, owners_.optimizer.state());
    if (owners_.average && owners_.average->count() > 0)
      add_pieces(checkpoint::kAverageFile, owners_.average->state());
    if (is_first()) add_kept(owners_.model, parts_.parts, parts_.tensors);
  }

  /// Copies a tensor of the model if this rank writes it.
  void add_to_model(const NamedTensor& tensor) {
    if (dealt_.at(tensor.name) == shards_.shard()) add(parts_.parts.front(), tensor);
  }

  checkpoint::RankParts take() { return std::move(parts_); }

 private:
  /// Returns whether this rank writes what is not divided.
  bool is_first() const { return shards_.shard() == 0; }

  checkpoint::Part& add_part(const std::string& file) {
    const std::string name = checkpoint::shard_name({file, shards_.shard(), shards_.shards()});
    return parts_.parts.emplace_back(checkpoint::Part{name, {}, {}});
  }

  void add(checkpoint::Part& part, const NamedTensor& tensor) {
    part.tensors.push_back(copy_bytes(tensor, part.file, &parts_.tensors, memory_));
  }

  /// Copies state of the pieces, and notes which numbers they are.
  void add_pieces(const std::string& file, const NamedTensors& state) {
    checkpoint::Part& part = add_part(file);
    for (std::size_t i = 0; i < shards_.pieces().size(); ++i) {
      const parallel::PiecePlace& place = shards_.places()[i];
      const NamedTensor& piece = shards_.pieces()[i];
      if (is_cut(piece.tensor, place))
        checkpoint::note_piece(part.metadata, piece.name, {place.begin, place.count, place.shape});
    }
    for (const NamedTensor& tensor : state)
      part.tensors.push_back(copy_bytes(tensor, part.file, &parts_.tensors, memory_));
  }

  const Owners& owners_;
  parallel::Shards& shards_;
  std::map<std::string, int> dealt_ = deal_model(weights_of(owners_.model), shards_.shards());
  std::pmr::memory_resource* memory_ = owners_.optimizer.memory_for_copies();
  std::set<std::string> divided_;  // names of parameters
  checkpoint::RankParts parts_;
};

[[noreturn]] void refuse(const std::string& what, const std::string& remedy) {
  throw Error(what, remedy, Exit::resume_refused);
}

/// Reads the tensors of a checkpoint that one rank needs.
class Pieces {
 public:
  Pieces(const model::Model& model, const parallel::Shards& shards, const TensorReader& reader)
      : shards_(shards), reader_(reader) {
    for (const NamedTensor& parameter : model.parameters()) names_.insert(parameter.name);
    for (std::size_t i = 0; i < shards.pieces().size(); ++i) index_[shards.pieces()[i].name] = i;
  }

  /// Returns the state of this rank's pieces, and of the parameters in `others`, from a file of the
  /// checkpoint. `keep` moves each tensor to where it stays.
  NamedTensors state_in(const std::string& file, const std::set<std::string>& others,
                        const std::function<at::Tensor(const at::Tensor&)>& keep) const {
    NamedTensors out;
    for (const JoinedTensor& saved : reader_.tensors(file)) {
      // An average has the name of its parameter.
      const std::string parameter =
          names_.contains(saved.name) ? saved.name : parameter_of(saved.name);
      if (!names_.contains(parameter))
        refuse(fmt::format("the checkpoint has '{}', and the model has no '{}'", saved.name,
                           parameter),
               "it belongs to another model");
      const auto piece = index_.find(parameter);
      if (piece != index_.end()) {
        out.push_back({saved.name, keep(to_tensor(read(saved, piece->second)))});
      } else if (others.contains(parameter)) {
        out.push_back({saved.name, keep(to_tensor(reader_.read(saved)))});
      }
    }
    return out;
  }

  /// Overwrites a piece of the model by what a saved tensor holds of it.
  void restore(std::size_t piece, const JoinedTensor& saved) const {
    copy_into(shards_.pieces()[piece].tensor, read(saved, piece));
  }

 private:
  /// Reads the numbers of a piece from a tensor of its parameter's shape; all of any other tensor.
  files::TensorBytes read(const JoinedTensor& saved, std::size_t piece) const {
    const parallel::PiecePlace& place = shards_.places()[piece];
    if (!is_cut(shards_.pieces()[piece].tensor, place) || saved.shape != place.shape)
      return reader_.read(saved);
    return reader_.read(saved, place.begin, place.count);
  }

  const parallel::Shards& shards_;
  const TensorReader& reader_;
  std::set<std::string> names_;               // of all parameters
  std::map<std::string, std::size_t> index_;  // of pieces
};

/// Returns the names of the parameters whose averages this rank has besides those of its pieces:
/// the first shard has those of all that are not divided.
std::set<std::string> averaged_besides(const model::Model& model, const parallel::Shards& shards) {
  std::set<std::string> names;
  for (const NamedTensor& parameter : model.parameters()) {
    if (shards.shard() == 0 && !shards.is_sharded(parameter.tensor)) names.insert(parameter.name);
  }
  return names;
}

/// Lists saved tensors by name.
using Saved = std::map<std::string, const JoinedTensor*>;

/// Adds the tensors of a file of a checkpoint, in place of those with the same names.
void add_saved(const TensorReader& reader, const char* file, Saved& saved) {
  for (const JoinedTensor& tensor : reader.tensors(file)) saved[tensor.name] = &tensor;
}

void restore_pieces(const Pieces& pieces, parallel::Shards& shards, const Saved& saved) {
  for (std::size_t i = 0; i < shards.pieces().size(); ++i)
    pieces.restore(i, *saved.at(shards.pieces()[i].name));
  shards.gather();
}

/// Restores the weights, a tensor at a time: of a divided parameter the piece of this rank,
/// everything else whole. `saved` must hold what the model has, and nothing else.
void restore_weights(model::Model& model, parallel::Shards* shards, const TensorReader& reader,
                     Saved saved) {
  for (const NamedTensor& tensor : weights_of(model)) {
    if (!saved.contains(tensor.name))
      throw Error(fmt::format("the checkpoint has no '{}'", tensor.name),
                  "it belongs to another model");
    if (!shards || !shards->is_sharded(tensor.tensor)) {
      copy_into(tensor.tensor, reader.read(*saved[tensor.name]));
      saved.erase(tensor.name);
    }
  }
  if (shards) restore_pieces(Pieces(model, *shards, reader), *shards, saved);
  for (const NamedTensor& tensor : model.parameters()) saved.erase(tensor.name);
  if (!saved.empty())
    throw Error(
        fmt::format("the model has no '{}', which the checkpoint holds", saved.begin()->first),
        "it belongs to another model");
}

/// Restores the state of a model besides its weights.
void restore_small_parts(model::Model& model, const TensorReader& reader,
                         checkpoint::Snapshot small) {
  for (const char* file : {checkpoint::kBuffersFile, checkpoint::kAttributesFile}) {
    checkpoint::Part part{file, {}, {}};
    for (const JoinedTensor& tensor : reader.tensors(file))
      part.tensors.push_back(reader.read(tensor));
    small.parts.push_back(std::move(part));
  }
  restore_kept(model, small);
}

}  // namespace

std::optional<checkpoint::RankParts> take_rank_parts(const Owners& owners,
                                                     parallel::Shards& shards) {
  std::optional<Copies> copies(std::in_place, owners, shards);
  // All ranks must visit all parameters, also one that cannot keep what it sees.
  const auto trying = [&](const auto& act) {
    try {
      if (copies && shards.is_first_replica()) act();
    } catch (const std::bad_alloc&) {
      copies.reset();  // makes room for what follows
    }
  };
  trying([&] { copies->add_own(); });
  shards.visit_whole(
      [&](const NamedTensor& whole) { trying([&] { copies->add_to_model(whole); }); });
  if (!copies) return std::nullopt;
  return copies->take();
}

void restore_shards(const Owners& owners, parallel::Shards& shards, const parallel::Group& group,
                    const TensorReader& reader, const checkpoint::Snapshot& small,
                    std::uint64_t seed) {
  const Pieces pieces(owners.model, shards, reader);
  Saved saved;
  add_saved(reader, checkpoint::kModelFile, saved);
  restore_weights(owners.model, &shards, reader, std::move(saved));
  restore_small_parts(owners.model, reader, small);
  owners.optimizer.restore(
      pieces.state_in(checkpoint::kOptimizerFile, {},
                      [&](const at::Tensor& tensor) { return owners.optimizer.keep(tensor); }));
  if (owners.average)
    owners.average->restore(
        pieces.state_in(checkpoint::kAverageFile, averaged_besides(owners.model, shards),
                        [](const at::Tensor& tensor) { return tensor; }),
        small.state.at("averaged").get<std::uint64_t>());
  owners.progress = run::progress_from(small.state.at("progress"));
  restore_generators(small, group, seed);
}

void restore_evaluated_pieces(model::Model& model, parallel::Shards* shards,
                              const TensorReader& reader, const checkpoint::Snapshot& small) {
  Saved saved;
  add_saved(reader, checkpoint::kModelFile, saved);
  add_saved(reader, checkpoint::kAverageFile, saved);
  restore_weights(model, shards, reader, std::move(saved));
  restore_small_parts(model, reader, small);
}

}  // namespace knead::engine
