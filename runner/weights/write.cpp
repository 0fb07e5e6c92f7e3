#include "runner/weights/write.h"

#include <array>
#include <map>

#include <fmt/format.h>

#include "runner/weights/zip.h"
#include "schema/document/error.h"

namespace knead::weights {
namespace {

constexpr std::uint64_t kAlignment = 64;  // that of torch.save, for readers that map the file

/// Pairs a type with the storage class that torch.save names for it.
struct StorageName {
  std::string_view dtype;
  std::string_view name;
};

constexpr std::array kStorageNames{
    StorageName{"F32", "FloatStorage"},       StorageName{"F64", "DoubleStorage"},
    StorageName{"F16", "HalfStorage"},        StorageName{"BF16", "BFloat16Storage"},
    StorageName{"I64", "LongStorage"},        StorageName{"I32", "IntStorage"},
    StorageName{"I16", "ShortStorage"},       StorageName{"I8", "CharStorage"},
    StorageName{"U8", "ByteStorage"},         StorageName{"BOOL", "BoolStorage"},
    StorageName{"C64", "ComplexFloatStorage"}};

std::string_view storage_name(const files::TensorContent& tensor) {
  for (const StorageName& each : kStorageNames) {
    if (each.dtype == tensor.dtype) return each.name;
  }
  throw Error(fmt::format("'{}' has the type {}, which a file of torch.save's cannot hold",
                          tensor.name, tensor.dtype),
              "export to safetensors");
}

std::int64_t numbers_in(const files::TensorContent& tensor) {
  std::int64_t count = 1;
  for (const std::int64_t size : tensor.shape) count *= size;
  return count;
}

/// Writes the pickle that torch.save writes, in protocol 2. Uses the memo only for tensors with
/// several names.
class Pickler {
 public:
  Pickler() : bytes_("\x80\x02") { global("collections", "OrderedDict").op(')').op('R').op('('); }

  void tensor(const files::TensorContent& tensor, std::size_t number) {
    text(tensor.name);
    // The arguments are storage, offset, sizes, strides, requires_grad and hooks.
    global("torch._utils", "_rebuild_tensor_v2").op('(');
    op('(').text("storage").global("torch", storage_name(tensor));
    text(std::to_string(number)).text("cpu").integer(numbers_in(tensor)).op('t').op('Q');
    integer(0).integers(tensor.shape).integers(strides_of(tensor.shape)).op('\x89');
    global("collections", "OrderedDict").op(')').op('R').op('t').op('R');
  }

  /// Stores the value made last in the memo.
  void keep(std::uint32_t place) { op('r').raw(place); }
  /// Sets a value of the memo under another name.
  void again(const std::string& name, std::uint32_t place) { text(name).op('j').raw(place); }

  std::string finish() { return std::move(op('u').op('.').bytes_); }

 private:
  static std::vector<std::int64_t> strides_of(const std::vector<std::int64_t>& shape) {
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
      strides[i - 1] = strides[i] * std::max<std::int64_t>(shape[i], 1);
    return strides;
  }

  Pickler& op(char instruction) {
    bytes_ += instruction;
    return *this;
  }
  template <class Number>
  Pickler& raw(Number number) {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
    return *this;
  }
  Pickler& text(std::string_view text) {
    op('X').raw(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
    return *this;
  }
  Pickler& global(std::string_view module, std::string_view name) {
    bytes_ += fmt::format("c{}\n{}\n", module, name);
    return *this;
  }
  /// Writes LONG1 with 8 bytes, which holds any size.
  Pickler& integer(std::int64_t number) { return op('\x8a').op('\x08').raw(number); }
  Pickler& integers(const std::vector<std::int64_t>& numbers) {
    op('(');
    for (const std::int64_t number : numbers) integer(number);
    return op('t');
  }

  std::string bytes_;
};

std::uint32_t crc_of(const files::Content& content) {
  RunningCrc crc;
  content([&crc](std::span<const std::byte> bytes) { crc.add(bytes); });
  return crc.value();
}

ZipMember text_member(std::string name, const std::string& text) {
  const auto content = [text](const files::Sink& sink) { sink(std::as_bytes(std::span(text))); };
  return {"archive/" + std::move(name), content, text.size(), crc_of(content)};
}

/// Returns the aliases of tensors by the name under which the tensor is stored.
std::multimap<std::string, std::string> other_names(const files::Metadata& metadata) {
  constexpr std::string_view kAlias = "alias:";
  std::multimap<std::string, std::string> names;
  for (const auto& [key, of] : metadata) {
    if (key.starts_with(kAlias)) names.emplace(of, key.substr(kAlias.size()));
  }
  return names;
}

std::string pickle(const std::vector<files::TensorContent>& tensors,
                   const files::Metadata& metadata) {
  const auto names = other_names(metadata);
  Pickler pickler;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    pickler.tensor(tensors[i], i);
    const auto [first, last] = names.equal_range(tensors[i].name);
    if (first == last) continue;
    const auto place = static_cast<std::uint32_t>(i);
    pickler.keep(place);
    for (auto name = first; name != last; ++name) pickler.again(name->second, place);
  }
  return pickler.finish();
}

}  // namespace

files::Content torch_file(const std::vector<files::TensorBytes>& tensors,
                          const files::Metadata& metadata) {
  return torch_file(files::contents_of(tensors), metadata);
}

files::Content torch_file(const std::vector<files::TensorContent>& tensors,
                          const files::Metadata& metadata) {
  std::vector<ZipMember> members;
  members.push_back(text_member("data.pkl", pickle(tensors, metadata)));
  members.push_back(text_member("byteorder", "little"));
  for (std::size_t i = 0; i < tensors.size(); ++i)
    members.push_back({fmt::format("archive/data/{}", i), tensors[i].bytes, tensors[i].size,
                       crc_of(tensors[i].bytes)});
  members.push_back(text_member("version", "3\n"));
  return zip(std::move(members), kAlignment);
}

}  // namespace knead::weights
