#include "runner/web/wire.h"

#include <sys/socket.h>

namespace knead::web {

using Tcp = asio::ip::tcp;

void Wire::give_up_at(Clock::time_point when, std::string why) {
  const std::lock_guard lock(mutex_);
  deadline_ = when;
  why_late_ = std::move(why);
}

void Wire::stop(std::string why) {
  const std::lock_guard lock(mutex_);
  stopped_ = std::move(why);
}

std::string Wire::why_over() const {
  const std::lock_guard lock(mutex_);
  if (!stopped_.empty()) return stopped_;
  const auto now = Clock::now();
  if (now >= deadline_) return why_late_;
  return now >= connect_until_ ? "the server does not answer" : "";
}

void Wire::expect_time() const {
  if (const std::string over = why_over(); !over.empty()) throw NoAnswer(over);
}

void Wire::cancel() {
  error_code ignored;
  resolver_.cancel();
  socket_.close(ignored);
}

void Wire::close() {
  error_code ignored;
  secure_.reset();
  socket_.close(ignored);
}

void Wire::connect(const std::string& host, int port, std::chrono::milliseconds most) {
  close();
  connect_until_ = Clock::now() + most;
  Tcp::resolver::results_type found;
  error_code failure;
  const auto resolve = [&](Ended ended) {
    resolver_.async_resolve(host, std::to_string(port),
                            [&found, ended](error_code code, Tcp::resolver::results_type all) {
                              found = std::move(all);
                              ended(code);
                            });
  };
  const auto reach = [&](Ended ended) {
    asio::async_connect(socket_, found,
                        [ended](error_code code, const Tcp::endpoint&) { ended(code); });
  };
  wait(resolve, &failure);
  if (!failure) wait(reach, &failure);
  connect_until_ = Clock::time_point::max();
  if (failure) throw NoAnswer("no connection can be made");
  socket_.set_option(Tcp::no_delay(true), failure);
}

void Wire::take(int socket) { socket_.assign(Tcp::v4(), socket); }

void Wire::begin_tls(const std::string& host) {
  error_code failure;
  tls_.emplace(asio::ssl::context::tls_client);
  tls_->set_options(asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1, failure);
  tls_->set_default_verify_paths(failure);
  auto& secure = secure_.emplace(socket_, *tls_);
  secure.set_verify_mode(asio::ssl::verify_peer, failure);
  secure.set_verify_callback(asio::ssl::host_name_verification(host), failure);
  SSL_set_tlsext_host_name(secure.native_handle(), host.c_str());
  wait([&](Ended ended) { secure.async_handshake(asio::ssl::stream_base::client, ended); },
       &failure);
  if (!failure) return;
  const long refused = SSL_get_verify_result(secure.native_handle());
  close();
  if (refused == X509_V_OK) throw NoAnswer("no secure connection can be made");
  const bool has_other_name = refused == X509_V_ERR_UNSPECIFIED;  // of host_name_verification
  throw NoAnswer(
      std::string("the server's certificate cannot be verified (") +
      (has_other_name ? "it is for another name" : X509_verify_cert_error_string(refused)) + ")");
}

bool Wire::is_idle() {
  if (!socket_.is_open()) return false;
  char next = 0;
  const ssize_t got = ::recv(socket_.native_handle(), &next, 1, MSG_PEEK | MSG_DONTWAIT);
  return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

void Wire::send(std::string_view bytes) {
  run([&](auto& stream, Ended ended) {
    asio::async_write(stream, asio::buffer(bytes.data(), bytes.size()), ended);
  });
}

}  // namespace knead::web
