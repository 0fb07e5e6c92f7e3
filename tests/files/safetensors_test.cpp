#include "runner/files/safetensors.h"

#include <catch2/catch.hpp>

#include "tests/files/simulated_files.h"

namespace knead::tests {

namespace {

using files::TensorBytes;

constexpr const char* kFile = "w.safetensors";

TensorBytes tensor(const std::string& name, const std::string& dtype,
                   const std::vector<std::int64_t>& shape, const std::string& bytes) {
  const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
  return {name, dtype, shape, {begin, begin + bytes.size()}};
}

std::string written(const std::vector<TensorBytes>& tensors, const files::Metadata& metadata) {
  SimulatedFiles files;
  files::write_new(files, kFile, files::safetensors(tensors, metadata));
  CHECK(files.disk.data(kFile).size() == files::safetensors_size(tensors, metadata));
  return files.disk.data(kFile);
}

files::Safetensors read(const std::string& bytes) {
  SimulatedFiles files;
  files::write_new(files, kFile, files::text_content(bytes));
  files::InputFile in(files, kFile);
  return files::read_safetensors(in, kFile);
}

/// A file of this header and so many bytes of data.
std::string file(const std::string& header, std::size_t data = 0) {
  const std::uint64_t size = header.size();
  return std::string(reinterpret_cast<const char*>(&size), sizeof size) + header +
         std::string(data, 'x');
}

/// Why a file is refused.
std::string safetensors_refusal(const std::string& bytes) {
  try {
    read(bytes);
  } catch (const Error& error) {
    const std::string message = error.what();
    const std::string begin = "w.safetensors is no safetensors file: ";
    return message.starts_with(begin) ? message.substr(begin.size()) : message;
  }
  return "";
}

}  // namespace

TEST_CASE("a safetensors file has the widest numbers first, and is the same in any order") {
  const TensorBytes b = tensor("b", "U8", {3}, "abc");
  const TensorBytes a = tensor("a", "U8", {}, "z");
  const TensorBytes w = tensor("w", "F32", {1, 2}, "01234567");
  const std::string bytes = written({b, a, w}, {{"y", "2"}, {"x", "1"}});
  CHECK(bytes.substr(8) ==
        R"({"__metadata__":{"x":"1","y":"2"},)"
        R"("w":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},)"
        R"("a":{"dtype":"U8","shape":[],"data_offsets":[8,9]},)"
        R"("b":{"dtype":"U8","shape":[3],"data_offsets":[9,12]}}       01234567zabc)");
  CHECK(bytes[0] == static_cast<char>(bytes.size() - 8 - 12));
  CHECK((bytes.size() - 12) % 8 == 0);
  CHECK(written({w, b, a}, {{"x", "1"}, {"y", "2"}}) == bytes);
  const files::Safetensors back = read(bytes);
  CHECK(back.tensors == std::vector{w, a, b});
  CHECK(back.metadata == files::Metadata{{"x", "1"}, {"y", "2"}});
  CHECK(read(written({}, {})).tensors.empty());
  CHECK(read(written({tensor("none", "F32", {0, 3}, ""), w}, {})).tensors.size() == 2);
}

TEST_CASE("what no safetensors file can hold is a mistake of the program") {
  CHECK_THROWS_AS(files::safetensors({tensor("a", "F33", {}, "abcd")}, {}), std::invalid_argument);
  CHECK_THROWS_AS(files::safetensors({tensor("a", "F32", {2}, "abcd")}, {}), std::invalid_argument);
  CHECK_THROWS_AS(files::safetensors({tensor("a", "F4", {1}, "")}, {}), std::invalid_argument);
  CHECK_THROWS_AS(files::safetensors({tensor("__metadata__", "U8", {}, "a")}, {}),
                  std::invalid_argument);
  const TensorBytes twice = tensor("a", "U8", {}, "a");
  CHECK_THROWS_AS(files::safetensors({twice, tensor("a", "F32", {}, "abcd")}, {}),
                  std::invalid_argument);
}

TEST_CASE("a file that the format does not allow is refused with a reason") {
  CHECK(safetensors_refusal("") == "it is shorter than 8 bytes");
  CHECK(safetensors_refusal("1234567") == "it is shorter than 8 bytes");
  CHECK(safetensors_refusal(std::string(8, '\xff')) ==
        "its header cannot have 18446744073709551615 bytes");
  CHECK(safetensors_refusal(std::string(8, '\0')) == "its header does not begin with {");
  CHECK(safetensors_refusal(file(" {}")) == "its header does not begin with {");
  CHECK(safetensors_refusal(file("{")) == "its header is no JSON");
  CHECK(safetensors_refusal(file("{\"\xff\":1}")) == "its header is no JSON");
  CHECK(safetensors_refusal(file("{} x")) == "its header is no JSON");
  CHECK(safetensors_refusal(file(R"({"a":[[[[1]]]]})")) == "its header is nested too deeply");
  CHECK(safetensors_refusal(file("{\"a\":" + std::string(100'000, '['))) ==
        "its header is nested too deeply");
  CHECK(safetensors_refusal(file(R"({"__metadata__":1})")) == "its __metadata__ is no object");
  CHECK(safetensors_refusal(file(R"({"__metadata__":{"a":1}})")) ==
        "its __metadata__ \"a\" is no text");
  CHECK(safetensors_refusal(file("{}", 1)) == "it has 1 bytes of data, not 0");

  const auto with = [](const std::string& entry, std::size_t data) {
    return safetensors_refusal(file("{" + entry + "}", data));
  };
  const std::string a = R"("a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]})";
  CHECK(with(a, 2) == "");
  CHECK(with(a, 1) == "it has 1 bytes of data, not 2");
  CHECK(with(a + "," + a, 2) == "its header has the key \"a\" twice");
  CHECK(with(R"("a":{"dtype":"U8","dtype":"I8","shape":[2],"data_offsets":[0,2]})", 2) ==
        "its header has the key \"dtype\" twice");
  CHECK(with(R"("a":{"dtype":"U8","shape":[2]})", 2) ==
        "\"a\" has not just dtype, shape and data_offsets");
  CHECK(with(R"("a":{"dtype":"U8","shape":[2],"data_offsets":[0,2],"more":1})", 2) ==
        "\"a\" has not just dtype, shape and data_offsets");
  CHECK(with(R"("a":{"dtype":"U9","shape":[2],"data_offsets":[0,2]})", 2) ==
        "\"a\" has the unknown dtype \"U9\"");
  CHECK(with(R"("a":{"dtype":"U8","shape":[3],"data_offsets":[0,2]})", 2) ==
        "the shape of \"a\" does not fit its 2 bytes");
  CHECK(with(R"("a":{"dtype":"F4","shape":[3],"data_offsets":[0,1]})", 1) ==
        "the shape of \"a\" does not fit its 1 bytes");
  CHECK(with(R"("a":{"dtype":"U8","shape":[-2],"data_offsets":[0,2]})", 2) ==
        "the shape of \"a\" is no list of whole numbers");
  CHECK(with(R"("a":{"dtype":"U8","shape":[2.0],"data_offsets":[0,2]})", 2) ==
        "the shape of \"a\" is no list of whole numbers");
  CHECK(with(R"("a":{"dtype":"U8","shape":[18446744073709551615],"data_offsets":[0,2]})", 2) ==
        "the shape of \"a\" is no list of whole numbers");
  CHECK(with(R"("a":{"dtype":"U64","shape":[4294967296,4294967296],"data_offsets":[0,0]})", 0) ==
        "the shape of \"a\" does not fit its 0 bytes");
  CHECK(with(R"("a":{"dtype":"U8","shape":[2],"data_offsets":[2,0]})", 2) ==
        "the data_offsets of \"a\" are no begin and end");
  CHECK(with(R"("a":{"dtype":"U8","shape":[2],"data_offsets":[1,3]})", 3) ==
        "the data of \"a\" begins at 1, not at 0");
  CHECK(with(a + R"(,"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]})", 3) ==
        "the data of \"b\" begins at 1, not at 2");
  CHECK(with(a + R"(,"b":{"dtype":"U8","shape":[2],"data_offsets":[3,5]})", 5) ==
        "the data of \"b\" begins at 3, not at 2");
}

TEST_CASE("a safetensors file cut off anywhere is refused") {
  const std::string whole = written({tensor("a", "F32", {2}, "01234567")}, {{"k", "v"}});
  for (std::size_t length = 0; length < whole.size(); ++length) {
    if (safetensors_refusal(whole.substr(0, length)).empty())
      FAIL("the first " << length << " bytes pass");
  }
}

}  // namespace knead::tests
