#include "runner/checkpoint/join.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "runner/checkpoint/manifest.h"
#include "runner/checkpoint/names.h"
#include "runner/checkpoint/pieces.h"

namespace knead::checkpoint {

namespace {

/// Refers to a tensor of a file by indices.
struct TensorPlace {
  std::size_t file = 0;
  std::size_t tensor = 0;
};

/// Joins the files of one kind, such as all of the optimizer.
class Join {
 public:
  /// `members`: indices in `files` by shard.
  Join(const std::vector<FileHeader>& files, std::string name, std::vector<std::size_t> members)
      : files_(files), members_(std::move(members)) {
    joined_.file = std::move(name);
  }

  JoinedFile run() {
    for (const std::size_t member : members_) read(member);
    for (auto& [parameter, pieces] : pieces_) check_cover(parameter, pieces);
    for (const auto& [name, places] : tensors_) joined_.tensors.push_back(join(name, places));
    return std::move(joined_);
  }

 private:
  /// Holds the pieces of a parameter by the index of their file.
  using Pieces = std::map<std::size_t, Piece>;

  [[noreturn]] void refuse(const std::string& why) const {
    throw Damaged(fmt::format("the parts of {} do not fit: {}", joined_.file, why));
  }

  /// Adds the tensors, the pieces and the metadata of a file.
  void read(std::size_t file) {
    const auto& [name, header] = files_[file];
    for (std::size_t i = 0; i < header.tensors.size(); ++i)
      tensors_[header.tensors[i].name].push_back({file, i});
    for (auto& [parameter, piece] : pieces_in(header.metadata))
      pieces_[parameter].emplace(file, piece);
    for (const auto& [key, text] : without_pieces(header.metadata)) {
      const auto [known, is_new] = joined_.metadata.emplace(key, text);
      if (!is_new && known->second != text)
        refuse(fmt::format("'{}' is '{}' in one and '{}' in another", key, known->second, text));
    }
  }

  /// Throws Damaged unless the pieces of a parameter are all of it, once.
  void check_cover(const std::string& parameter, const Pieces& pieces) const {
    std::vector<Piece> sorted;
    for (const auto& [file, piece] : pieces) sorted.push_back(piece);
    std::sort(sorted.begin(), sorted.end(),
              [](const Piece& left, const Piece& right) { return left.begin < right.begin; });
    std::int64_t end = 0;
    for (const Piece& piece : sorted) {
      if (piece.shape != sorted.front().shape)
        refuse(fmt::format("'{}' has the shape {} in one and {} in another", parameter,
                           fmt::join(sorted.front().shape, "x"), fmt::join(piece.shape, "x")));
      expect_meeting(parameter, end, piece.begin);
      end = piece.begin + piece.count;
    }
    expect_meeting(parameter, end, numbers_of(sorted.front().shape));
  }

  /// Throws Damaged unless a piece begins where the one before it ends.
  void expect_meeting(const std::string& parameter, std::int64_t end, std::int64_t begin) const {
    if (end == begin) return;
    refuse(fmt::format("the numbers {} to {} of '{}' are {}", std::min(end, begin),
                       std::max(end, begin) - 1, parameter,
                       end < begin ? "in none of them" : "in two of them"));
  }

  /// Returns the pieces of the parameter to which a tensor belongs; null if no piece is noted. A
  /// tensor has the parameter's name, or "PARAMETER/…" for a state of the optimizer.
  const Pieces* pieces_of(const std::string& tensor) const {
    auto found = pieces_.find(tensor);
    if (found == pieces_.end()) found = pieces_.find(tensor.substr(0, tensor.rfind('/')));
    return found == pieces_.end() ? nullptr : &found->second;
  }

  const files::SafetensorsPlace& at(const TensorPlace& place) const {
    return files_[place.file].header.tensors[place.tensor];
  }

  JoinedTensor join(const std::string& name, const std::vector<TensorPlace>& places) const {
    const files::SafetensorsPlace& first = at(places.front());
    const auto stretch = [](const TensorPlace& place, std::int64_t begin, std::int64_t count) {
      return Stretch{place.file, place.tensor, begin, count};
    };
    JoinedTensor joined{name, first.dtype, first.shape, {}, {}};
    const Pieces* pieces = pieces_of(name);
    if (!pieces) {
      if (places.size() > 1) refuse(fmt::format("'{}' is whole in two of them", name));
      joined.stretches.push_back(stretch(places.front(), 0, numbers_of(first.shape)));
      return joined;
    }
    check_pieces(name, places, *pieces);
    if (first.shape.empty()) {
      joined.stretches.push_back(stretch(places.front(), 0, 1));
      for (std::size_t i = 1; i < places.size(); ++i)
        joined.copies.push_back(stretch(places[i], 0, 1));
      return joined;
    }
    joined.shape = pieces->begin()->second.shape;
    for (const TensorPlace& place : places) {
      const Piece& piece = pieces->at(place.file);
      joined.stretches.push_back(stretch(place, piece.begin, piece.count));
    }
    std::sort(joined.stretches.begin(), joined.stretches.end(),
              [](const Stretch& left, const Stretch& right) { return left.begin < right.begin; });
    return joined;
  }

  /// Throws Damaged unless each file with a piece of the parameter has the tensor, all of one type,
  /// and each with as many numbers as the piece or each as a single number.
  void check_pieces(const std::string& name, const std::vector<TensorPlace>& places,
                    const Pieces& pieces) const {
    const files::SafetensorsPlace& first = at(places.front());
    for (const TensorPlace& place : places) {
      const auto piece = pieces.find(place.file);
      const std::string& file = files_[place.file].file;
      if (piece == pieces.end())
        refuse(fmt::format("'{}' is in {}, which has no piece of it", name, file));
      const files::SafetensorsPlace& tensor = at(place);
      if (tensor.dtype != first.dtype)
        refuse(fmt::format("'{}' is {} in one and {} in another", name, first.dtype, tensor.dtype));
      const bool fits = first.shape.empty() ? tensor.shape.empty()
                                            : tensor.shape == std::vector{piece->second.count};
      if (!fits)
        refuse(fmt::format("'{}' has the shape ({}) in {}, whose piece has {} numbers", name,
                           fmt::join(tensor.shape, ", "), file, piece->second.count));
    }
    for (const auto& [file, piece] : pieces) {
      const bool has = std::any_of(places.begin(), places.end(),
                                   [&, &file = file](const auto& at) { return at.file == file; });
      if (!has) refuse(fmt::format("'{}' is not in {}", name, files_[file].file));
    }
  }

  const std::vector<FileHeader>& files_;
  std::vector<std::size_t> members_;
  std::map<std::string, std::vector<TensorPlace>> tensors_;  // by name, in the order of files
  std::map<std::string, Pieces> pieces_;                     // by parameter
  JoinedFile joined_;
};

/// Returns the indices of files by shard; the files of one kind. Throws Damaged if one is missing.
std::vector<std::size_t> by_shard(const std::vector<FileHeader>& files,
                                  const std::vector<std::size_t>& members) {
  const std::optional<ShardFile> first = shard_of(files[members.front()].file);
  if (!first) {
    if (members.size() == 1) return members;
    throw Damaged(fmt::format("there are {} and parts of it", files[members.front()].file));
  }
  std::vector<std::optional<std::size_t>> found(static_cast<std::size_t>(first->shards));
  for (const std::size_t member : members) {
    const std::optional<ShardFile> shard = shard_of(files[member].file);
    if (!shard || shard->shards != first->shards)
      throw Damaged(
          fmt::format("there are {} and {}", files[members.front()].file, files[member].file));
    found[static_cast<std::size_t>(shard->shard)] = member;
  }
  std::vector<std::size_t> sorted;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i])
      throw Damaged(shard_name({first->file, static_cast<int>(i), first->shards}) + " is missing");
    sorted.push_back(*found[i]);
  }
  return sorted;
}

/// Returns the header that the file of a part would have.
FileHeader header_of(const Part& part) {
  FileHeader header{part.file, {{}, part.metadata}};
  for (const files::TensorBytes& tensor : part.tensors)
    header.header.tensors.push_back({tensor.name, tensor.dtype, tensor.shape});
  return header;
}

/// Returns the bytes of a joined tensor, and frees those that it has copied.
files::OwnBytes take_bytes(std::vector<Part>& parts, const JoinedTensor& joined) {
  const auto bytes_of = [&](const Stretch& stretch) -> files::OwnBytes& {
    return parts[stretch.file].tensors[stretch.tensor].bytes;
  };
  for (const Stretch& copy : joined.copies) {
    if (bytes_of(copy) != bytes_of(joined.stretches.front()))
      throw Damaged(fmt::format("{} has another '{}' than {}", parts[copy.file].file, joined.name,
                                parts[joined.stretches.front().file].file));
  }
  if (joined.stretches.size() == 1) return std::move(bytes_of(joined.stretches.front()));
  std::size_t size = 0;
  for (const Stretch& stretch : joined.stretches) size += bytes_of(stretch).size();
  files::OwnBytes bytes(size);
  auto next = bytes.begin();
  for (const Stretch& stretch : joined.stretches) {
    files::OwnBytes& piece = bytes_of(stretch);
    next = std::copy(piece.begin(), piece.end(), next);
    piece = {};
  }
  return bytes;
}

}  // namespace

std::vector<JoinedFile> join(const std::vector<FileHeader>& files) {
  std::map<std::string, std::vector<std::size_t>> kinds;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::optional<ShardFile> shard = shard_of(files[i].file);
    kinds[shard ? shard->file : files[i].file].push_back(i);
  }
  std::vector<JoinedFile> joined;
  for (const auto& [name, members] : kinds)
    joined.push_back(Join(files, name, by_shard(files, members)).run());
  return joined;
}

std::vector<Part> join_parts(std::vector<Part> parts) {
  std::vector<FileHeader> headers;
  for (const Part& part : parts) headers.push_back(header_of(part));
  std::vector<Part> out;
  for (const JoinedFile& file : join(headers)) {
    Part& part = out.emplace_back(Part{file.file, {}, file.metadata});
    for (const JoinedTensor& tensor : file.tensors)
      part.tensors.push_back({tensor.name, tensor.dtype, tensor.shape, take_bytes(parts, tensor)});
  }
  return out;
}

}  // namespace knead::checkpoint
