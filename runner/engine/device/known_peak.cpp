#include "runner/engine/device/known_peak.h"

#include <algorithm>
#include <array>

namespace knead::engine {
namespace {

/// States the peaks of a GPU in 10¹² operations per second; 0 where it has no unit for a precision.
struct Peak {
  /// Part of the driver's name of the GPU. The first entry that is found holds, so that a name
  /// stands before its own beginning.
  std::string_view name;
  double fp32;
  double tf32;
  double bf16;
  double fp16;
};

// From the data sheets of the products, and for GeForce from the architecture's white papers.
// Where a sheet states tensor cores with sparsity only, half of it.
constexpr std::array kPeaks{
    Peak{"B200", 75, 1100, 2250, 2250},
    Peak{"H200 NVL", 60, 417.5, 835.5, 835.5},
    Peak{"H200", 67, 494.5, 989.5, 989.5},
    Peak{"H100 NVL", 60, 417.5, 835.5, 835.5},
    Peak{"H100 PCIe", 51, 378, 756, 756},
    Peak{"H100 80GB HBM3", 67, 494.5, 989.5, 989.5},
    Peak{"A100", 19.5, 156, 312, 312},
    Peak{"A40", 37.4, 74.8, 149.7, 149.7},
    Peak{"A30", 10.3, 82, 165, 165},
    Peak{"A10G", 35, 35, 70, 70},
    Peak{"NVIDIA A10", 31.2, 62.5, 125, 125},
    Peak{"L40S", 91.6, 183, 362, 362},
    Peak{"L40", 90.5, 90.5, 181, 181},
    Peak{"NVIDIA L4", 30.3, 60, 121, 121},
    Peak{"V100-SXM2", 15.7, 0, 0, 125},
    Peak{"V100-PCIE", 14, 0, 0, 112},
    Peak{"Tesla T4", 8.1, 0, 0, 65},
    Peak{"RTX 6000 Ada", 91.1, 182.1, 364.2, 364.2},
    Peak{"RTX A6000", 38.7, 77.4, 154.8, 154.8},
    Peak{"RTX 5090", 104.8, 104.8, 209.5, 209.5},
    Peak{"RTX 4090", 82.6, 82.6, 165.2, 165.2},
    Peak{"RTX 3090", 35.6, 35.6, 71, 71},
};

double of_precision(const Peak& peak, recipe::Precision::Compute precision) {
  switch (precision) {
    case recipe::Precision::Compute::fp32: return peak.fp32;
    case recipe::Precision::Compute::tf32: return peak.tf32 > 0 ? peak.tf32 : peak.fp32;
    case recipe::Precision::Compute::bf16: return peak.bf16;
    case recipe::Precision::Compute::fp16: return peak.fp16;
  }
  return 0;
}

/// Returns whether a GPU's name has a name of the table with no letter or digit around it: an A100
/// is no A10, an "RTX 4090 Laptop GPU" and an "RTX 3090 Ti" are other products.
bool is_named(std::string_view gpu, std::string_view name) {
  const std::size_t at = gpu.find(name);
  if (at == gpu.npos || (at > 0 && gpu[at - 1] != ' ' && gpu[at - 1] != '-')) return false;
  const std::string_view rest = gpu.substr(at + name.size());
  const auto is_letter_or_digit = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  if (!rest.empty() && is_letter_or_digit(rest.front())) return false;
  return rest.find("Laptop") == rest.npos && !rest.starts_with(" Ti") && !rest.starts_with(" D") &&
         rest.find("MIG") == rest.npos;
}

}  // namespace

std::optional<double> known_peak(std::string_view gpu, recipe::Precision::Compute precision) {
  const auto found = std::find_if(kPeaks.begin(), kPeaks.end(),
                                  [&](const Peak& peak) { return is_named(gpu, peak.name); });
  if (found == kPeaks.end()) return std::nullopt;
  const double trillions = of_precision(*found, precision);
  return trillions > 0 ? std::optional(trillions * 1e12) : std::nullopt;
}

}  // namespace knead::engine
