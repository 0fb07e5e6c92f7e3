#include "runner/files/sha256.h"

#include <array>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <vector>

#include <openssl/evp.h>

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::files {
namespace {

using Digest = std::array<unsigned char, 32>;

void expect_success(int result) {
  if (result != 1) throw std::runtime_error("OpenSSL cannot compute SHA-256");
}

std::string sha256_text(const Digest& digest) {
  std::string text;
  for (const unsigned char byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

struct Free {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

}  // namespace

std::string sha256(std::string_view bytes) {
  Digest digest{};
  expect_success(
      EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr));
  return sha256_text(digest);
}

std::string sha256_of_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::unique_ptr<EVP_MD_CTX, Free> context(EVP_MD_CTX_new());
  expect_success(EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr));
  std::vector<char> block(1 << 20);
  while (in) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    expect_success(
        EVP_DigestUpdate(context.get(), block.data(), static_cast<std::size_t>(in.gcount())));
  }
  // A failed read, also one of a folder, does not reach the end. Without this check the digest of a
  // part would pass for that of the file.
  if (!in.eof()) throw Error(fmt::format("cannot read {}", path.string()));
  Digest digest{};
  expect_success(EVP_DigestFinal_ex(context.get(), digest.data(), nullptr));
  return sha256_text(digest);
}

}  // namespace knead::files
