#include "runner/data/packed/inflate.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "runner/files/budget.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

// zlib counts the bytes of a call in 32 bits.
constexpr std::uint64_t kMostAtOnce = std::numeric_limits<uInt>::max();

/// Returns the bytes as one piece at the first call, and empty pieces afterwards.
Pieces one_piece(std::string_view bytes) {
  return [bytes]() mutable { return std::exchange(bytes, {}); };
}

}  // namespace

Inflater::Inflater(Pieces pieces, Wrapping wrapping, std::string name, std::uint64_t begin)
    : pieces_(std::move(pieces)),
      wrapping_(wrapping),
      name_(std::move(name)),
      begin_(begin),
      stream_(std::make_unique<z_stream_s>()) {
  constexpr int kGzip = 16;
  // zlib's convention: 16 more selects gzip, a negative number raw deflate.
  const int window = wrapping == Wrapping::gzip ? MAX_WBITS + kGzip : -MAX_WBITS;
  if (inflateInit2(stream_.get(), window) != Z_OK) throw std::bad_alloc();
}

Inflater::Inflater(std::string_view compressed, Wrapping wrapping, std::string name,
                   std::uint64_t begin)
    : Inflater(one_piece(compressed), wrapping, std::move(name), begin) {}

Inflater::~Inflater() { inflateEnd(stream_.get()); }

std::uint64_t Inflater::place() const { return begin_ + stream_->total_in; }

bool Inflater::take_piece() {
  if (piece_.empty()) piece_ = pieces_();
  return !piece_.empty();
}

/// A gzip file may have several members. Zeros may follow the last one, as tapes pad their blocks.
bool Inflater::begin_next_member() {
  if (wrapping_ != Wrapping::gzip) return false;
  begin_ += stream_->total_in;
  if (inflateReset(stream_.get()) != Z_OK) throw std::bad_alloc();
  while (take_piece()) {
    if (piece_[0] == '\x1f') return true;
    const std::size_t zeros = std::min(piece_.find_first_not_of('\0'), piece_.size());
    piece_.remove_prefix(zeros);
    begin_ += zeros;
    if (!piece_.empty() && piece_[0] != '\x1f')
      throw Error(fmt::format("{}: what follows at byte {} is no gzip", name_, begin_), kDamaged);
  }
  return false;
}

std::size_t Inflater::read(std::span<char> out) {
  std::size_t done = 0;
  while (done < out.size() && !ended_) {
    // An empty piece at the end of the input leads to Z_BUF_ERROR below.
    take_piece();
    const std::uint64_t given = std::min<std::uint64_t>(piece_.size(), kMostAtOnce);
    const std::uint64_t room = std::min<std::uint64_t>(out.size() - done, kMostAtOnce);
    stream_->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece_.data()));
    stream_->avail_in = static_cast<uInt>(given);
    stream_->next_out = reinterpret_cast<Bytef*>(out.data() + done);
    stream_->avail_out = static_cast<uInt>(room);
    const int result = ::inflate(stream_.get(), Z_NO_FLUSH);
    piece_.remove_prefix(given - stream_->avail_in);
    done += room - stream_->avail_out;
    if (result == Z_STREAM_END) {
      ended_ = !begin_next_member();
    } else if (result == Z_BUF_ERROR) {  // there is room for output, so input is missing
      throw Error(fmt::format("{}: cut short at byte {}", name_, place()), kDamaged);
    } else if (result != Z_OK) {
      const char* why = stream_->msg ? stream_->msg : "a dictionary is missing";
      throw Error(fmt::format("{}: damaged at byte {} ({})", name_, place(), why), kDamaged);
    }
  }
  return done;
}

std::shared_ptr<char[]> take_memory(std::uint64_t size, const std::string& name) {
  try {
    return std::shared_ptr<char[]>(new char[size]);
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format("{}: there is no memory for {} bytes", name, size),
                "store the array uncompressed, then it stays on the disk");
  }
}

files::Bytes inflate_all(std::string_view compressed, Inflater::Wrapping wrapping,
                         std::uint64_t size, const std::string& name, std::uint64_t begin) {
  constexpr std::uint64_t kHighestRatio = 1032;  // of deflate
  if (size / kHighestRatio > compressed.size())
    throw Error(
        fmt::format("{}: {} compressed bytes cannot hold {}", name, compressed.size(), size),
        kDamaged);
  if (size > files::most_unpacked(compressed.size()))
    throw Error(fmt::format("{}: {} compressed bytes unpack to {}", name, compressed.size(), size),
                files::kUnpackIt);
  const auto memory = take_memory(size, name);
  Inflater inflater(compressed, wrapping, name, begin);
  const std::size_t read = inflater.read({memory.get(), size});
  // Reading one byte more verifies the checksum and finds data beyond the stated size.
  char more = 0;
  if (read != size || inflater.read({&more, 1}) != 0) {
    throw Error(fmt::format("{}: unpacks to {} bytes, {} were announced", name,
                            read == size ? "more" : std::to_string(read), size),
                kDamaged);
  }
  return {memory, {memory.get(), size}};
}

}  // namespace knead::data
