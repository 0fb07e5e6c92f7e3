#include "runner/web/client.h"

namespace knead::web {

httplib::Client client_for(const Address& address, std::chrono::milliseconds connect,
                           std::chrono::milliseconds silence) {
  httplib::Client client(address.origin());
  client.set_connection_timeout(connect);
  client.set_read_timeout(silence);
  client.set_write_timeout(silence);
  const Proxy proxy = proxy_for(address);
  if (!proxy.host.empty()) client.set_proxy(proxy.host, proxy.port);
  return client;
}

std::string in_words(httplib::Error error) {
  switch (error) {
    case httplib::Error::Connection: return "no connection can be made";
    case httplib::Error::ConnectionTimeout: return "the server does not answer";
    case httplib::Error::Read:
    case httplib::Error::Write: return "the connection broke off";
    case httplib::Error::ExceedRedirectCount:
      return "it leads from one address to another for ever";
    case httplib::Error::SSLConnection: return "no secure connection can be made";
    case httplib::Error::SSLLoadingCerts:
    case httplib::Error::SSLServerVerification:
      return "the server's certificate cannot be verified";
    default: return httplib::to_string(error);
  }
}

}  // namespace knead::web
