#include "runner/files/sha256.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include <openssl/evp.h>

#include <fmt/format.h>

#include "runner/files/open_file.h"

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
  const OpenFile file(path);
  const std::unique_ptr<EVP_MD_CTX, Free> context(EVP_MD_CTX_new());
  expect_success(EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr));
  std::vector<char> block(1 << 20);
  for (std::uint64_t at = 0; at < file.size(); at += block.size()) {
    block.resize(std::min<std::uint64_t>(block.size(), file.size() - at));
    file.read(at, std::as_writable_bytes(std::span(block)));
    expect_success(EVP_DigestUpdate(context.get(), block.data(), block.size()));
  }
  Digest digest{};
  expect_success(EVP_DigestFinal_ex(context.get(), digest.data(), nullptr));
  return sha256_text(digest);
}

}  // namespace knead::files
