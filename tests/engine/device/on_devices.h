#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/engine/device/device.h"
#include "tests/engine/device/second_device.h"
#include "tests/engine/train/short_run.h"
#include "tests/folder.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

// What a GPU asks of the engine, without one: every tensor of a step in its memory, everything read
// from it brought to the host first. Whether its own kernels give these numbers is for a GPU to
// say.

namespace knead::engine {

using Overrides = std::vector<std::string>;

/// While it lives, the CPU is the device again.
class OnCpu {
 public:
  OnCpu() { compute_on(at::kCPU); }
  ~OnCpu() { compute_on_second_device(); }
};

inline ShortRun trained(const std::string& name, const Overrides& overrides,
                        const std::filesystem::path& folder) {
  return train(short_recipe(name, overrides), 100, nullptr, folder);
}

/// Trains here and there, and wants the same bits of everything but the generator's state.
inline void expect_the_same(const std::string& name, const Overrides& overrides) {
  INFO(name << (overrides.empty() ? "" : ": " + overrides.back()));
  const tests::Folder folder;
  compute_on(at::kCPU);
  const ShortRun here = trained(name, overrides, folder.path() / "here");
  compute_on_second_device();
  const ShortRun there = trained(name, overrides, folder.path() / "there");
  CHECK(there.state.step == here.state.step);
  CHECK(there.state.tensors == here.state.tensors);
  CHECK(there.losses == here.losses);
  CHECK(there.evaluations == here.evaluations);
  CHECK(there.state.state.at("attributes") == here.state.state.at("attributes"));
}

// Batch norm, dropout, micro-batches; the norm of gradients is summed up otherwise there.
inline const Overrides kUnclipped{"clip=null", "track.every=1 step"};

inline Overrides joined(Overrides all, const Overrides& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace knead::engine
