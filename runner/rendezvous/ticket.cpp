#include "runner/rendezvous/ticket.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include "schema/document/error.h"

namespace knead::rendezvous {
namespace {

unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

}  // namespace

std::string new_nonce() {
  std::string nonce(32, '\0');
  if (RAND_bytes(bytes_of(nonce), static_cast<int>(nonce.size())) != 1)
    throw Error("the system gives no random bytes", "look at /dev/urandom");
  return nonce;
}

std::string prove(const std::string& token, std::string_view text) {
  std::string proof(32, '\0');
  const auto* const data = reinterpret_cast<const unsigned char*>(text.data());
  if (!HMAC(EVP_sha256(), token.data(), static_cast<int>(token.size()), data, text.size(),
            bytes_of(proof), nullptr))
    throw Error("OpenSSL computes no HMAC-SHA256", "look at OPENSSL_CONF");
  return proof;
}

bool is_equal(std::string_view first, std::string_view second) {
  return first.size() == second.size() &&
         CRYPTO_memcmp(first.data(), second.data(), first.size()) == 0;
}

}  // namespace knead::rendezvous
