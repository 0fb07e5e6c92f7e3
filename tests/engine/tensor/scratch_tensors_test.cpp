#include "runner/engine/tensor/scratch_tensors.h"

#include <sys/mman.h>

#include <fstream>
#include <optional>
#include <sstream>

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <catch2/catch.hpp>

#include "runner/engine/tensor/depot.h"
#include "runner/files/page_memory.h"
#include "tests/folder.h"

namespace knead::engine {
namespace {

/// Returns whether the memory of a tensor is a file of a folder.
bool is_in(const std::filesystem::path& folder, const at::Tensor& tensor) {
  const auto address = reinterpret_cast<std::uintptr_t>(tensor.const_data_ptr());
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::istringstream(line) >> std::hex >> begin >> dash >> end;
    if (address >= begin && address < end) return line.find(folder.string()) != line.npos;
  }
  return false;
}

constexpr std::int64_t kMany = 1'000'000;

}  // namespace

TEST_CASE("tensors that are made in files keep their numbers") {
  const tests::Folder folder;
  std::optional<ScratchTensors> files(std::in_place, files::ScratchMemory::in(folder.path()));
  at::Tensor large, part, small, after;
  files->make([&] {
    large = at::arange(kMany, at::kFloat);
    part = large.slice(0, kMany / 2);
    small = at::ones({10});
  });
  after = at::ones({kMany});
  CHECK(is_in(folder.path(), large));
  CHECK_FALSE(is_in(folder.path(), small));
  CHECK_FALSE(is_in(folder.path(), after));

  // A view shares the memory, also behind pages that were sent away.
  files->put_away();
  part.add_(1);
  files->put_away();
  CHECK(large[kMany / 2 - 1].item<float>() == kMany / 2 - 1);
  CHECK(large[kMany / 2].item<float>() == kMany / 2 + 1);

  // More is touched than is in memory at a time.
  at::Tensor sum = at::ones({1}, at::kDouble);
  for (int i = 0; i < 20; ++i) sum += large.sum(at::kDouble);
  CHECK(sum.item<double>() == 1 + 20 * large.sum(at::kDouble).item<double>());

  files.reset();
  CHECK(is_in(folder.path(), large));
  CHECK(large[7].item<float>() == 7);
  const at::Tensor copy = large.clone();
  CHECK_FALSE(is_in(folder.path(), copy));
  large.reset();
  CHECK(part[0].item<float>() == kMany / 2 + 1);
}

TEST_CASE("tensors in files move to memory, and what shares it moves along") {
  const tests::Folder folder;
  ScratchTensors files(files::ScratchMemory::in(folder.path()));
  at::Tensor large, part;
  files.make([&] {
    large = at::arange(kMany, at::kFloat);
    part = large.slice(0, kMany / 2);
  });
  const void* const place = large.const_data_ptr();
  files.move_to_memory();
  CHECK_FALSE(is_in(folder.path(), large));
  CHECK(large.const_data_ptr() == place);
  files.put_away();  // they have no pages that could be sent away
  CHECK(part[0].item<float>() == kMany / 2);
  large.add_(1);
  CHECK(part[0].item<float>() == kMany / 2 + 1);
  large.reset();
  part.reset();
  unsigned char page = 0;
  CHECK(::mincore(const_cast<void*>(place), 1, &page) == -1);  // it is freed
}

TEST_CASE("a depot keeps large tensors in files, and small ones in memory") {
  const tests::Folder folder;
  const Depot depot(folder.path());
  const at::Tensor large = depot.keep(at::arange(kMany, at::kFloat));
  const at::Tensor small = depot.keep(at::ones({10}));
  CHECK(is_in(folder.path(), large));
  CHECK_FALSE(is_in(folder.path(), small));
  depot.put_away(large);
  CHECK(large[kMany - 1].item<float>() == kMany - 1);
  depot.put_away(small);  // does nothing: its memory is not of a file
  CHECK(small.sum().item<float>() == 10);

  const Depot host(std::nullopt);
  CHECK(host.keep(large).is_same(large));
  CHECK(host.memory_for_copies() == &files::PageMemory::shared());
}

}  // namespace knead::engine
