#pragma once

#include <string>
#include <utility>

#include <caffe2/serialize/read_adapter_interface.h>

namespace knead::engine::model {

/// Gives LibTorch the bytes of a file. A read past the end returns fewer bytes, as from a file, so
/// that damaged archives are refused in the same words.
class ArchiveBytes final : public caffe2::serialize::ReadAdapterInterface {
 public:
  /// `bytes` must outlive this object.
  explicit ArchiveBytes(const std::string& bytes) : bytes_(bytes) {}
  std::size_t size() const override { return bytes_.size(); }
  std::size_t read(std::uint64_t at, void* to, std::size_t count, const char*) const override {
    if (at >= bytes_.size()) return 0;
    return bytes_.copy(static_cast<char*>(to), count, at);
  }

 private:
  const std::string& bytes_;
};

}  // namespace knead::engine::model
