#include "runner/checkpoint/tensor_reader.h"

#include <catch2/catch.hpp>

#include "runner/checkpoint/inspect.h"
#include "runner/checkpoint/names.h"
#include "runner/checkpoint/pieces.h"
#include "runner/files/folders.h"
#include "runner/files/posix_files.h"
#include "tests/checkpoint/shards.h"
#include "tests/checkpoint/story.h"
#include "tests/folder.h"

namespace knead::tests {

TEST_CASE("any numbers of a tensor are read, however many ranks have saved them") {
  for (int ranks = 0; ranks <= 4; ++ranks) {
    const Folder folder;
    std::filesystem::current_path(folder.path());
    files::PosixFiles files;
    files::make_folders(files, kRun);
    checkpoint::Store store(files, kRun);
    store.recover();
    const checkpoint::Snapshot plain = snapshot_of(1);
    const checkpoint::Manifest manifest =
        ranks == 0
            ? store.save(plain)
            : store.seal(written_by_ranks(files, store, plain, cut_for_ranks(plain, ranks, true)));
    const checkpoint::TensorReader reader(
        checkpoint::checkpoints_folder(kRun) / checkpoint::step_name(1), manifest);
    for (const checkpoint::Part& part : plain.parts) {
      const auto& tensors = reader.tensors(part.file);
      REQUIRE(tensors.size() == part.tensors.size());
      for (const checkpoint::JoinedTensor& tensor : tensors) {
        const auto saved = std::find_if(part.tensors.begin(), part.tensors.end(),
                                        [&](const auto& each) { return each.name == tensor.name; });
        REQUIRE(saved != part.tensors.end());
        CHECK(reader.read(tensor) == *saved);
        const std::int64_t all = checkpoint::numbers_of(tensor.shape);
        for (std::int64_t begin = 0; begin < all; ++begin) {
          for (std::int64_t count = 0; begin + count <= all; ++count) {
            const files::TensorBytes piece = reader.read(tensor, begin, count);
            CHECK(piece.shape == std::vector{count});
            const auto first = saved->bytes.begin() + begin * 4;
            CHECK(piece.bytes == files::OwnBytes(first, first + count * 4));
          }
        }
      }
    }
    CHECK(reader.tensors("average.safetensors").empty());
  }
}

}  // namespace knead::tests
