#include "runner/engine/device/known_peak.h"

#include <catch2/catch.hpp>

using knead::engine::known_peak;
using Compute = knead::recipe::Precision::Compute;

TEST_CASE("a GPU's peak is that of its data sheet and of the precision") {
  CHECK(known_peak("NVIDIA A100-SXM4-80GB", Compute::fp32) == 19.5e12);
  CHECK(known_peak("NVIDIA A100-SXM4-80GB", Compute::tf32) == 156e12);
  CHECK(known_peak("NVIDIA A100 80GB PCIe", Compute::bf16) == 312e12);
  CHECK(known_peak("NVIDIA H100 80GB HBM3", Compute::bf16) == 989.5e12);
  CHECK(known_peak("NVIDIA H100 PCIe", Compute::fp16) == 756e12);
  CHECK(known_peak("NVIDIA H200", Compute::bf16) == 989.5e12);
  CHECK(known_peak("NVIDIA H200 NVL", Compute::bf16) == 835.5e12);
  CHECK(known_peak("NVIDIA L4", Compute::bf16) == 121e12);
  CHECK(known_peak("NVIDIA L40S", Compute::bf16) == 362e12);
  CHECK(known_peak("NVIDIA A10", Compute::bf16) == 125e12);
  CHECK(known_peak("NVIDIA A10G", Compute::bf16) == 70e12);
}

TEST_CASE("a GPU without a unit for a precision has no peak in it") {
  CHECK(known_peak("Tesla T4", Compute::fp16) == 65e12);
  CHECK(known_peak("Tesla T4", Compute::bf16) == std::nullopt);
  // TF32 is float32 where there is no unit for it.
  CHECK(known_peak("Tesla V100-SXM2-16GB", Compute::tf32) == 15.7e12);
}

TEST_CASE("a GPU that only resembles one of the table has no peak") {
  for (const char* name :
       {"", "Tesla K80", "NVIDIA A1000", "NVIDIA L400", "NVIDIA GeForce RTX 4090 Laptop GPU",
        "NVIDIA GeForce RTX 4090 D", "NVIDIA GeForce RTX 3090 Ti",
        "NVIDIA A100-SXM4-40GB MIG 1g.5gb", "NVIDIA GB200"}) {
    CAPTURE(name);
    CHECK(known_peak(name, Compute::fp32) == std::nullopt);
  }
}
