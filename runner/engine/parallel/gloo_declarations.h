#pragma once

#include <chrono>
#include <string>
#include <vector>

// Declares the parts of Gloo that LibTorch's header ProcessGroupGloo.hpp names. The wheel contains
// Gloo within libtorch_cpu, but not the headers of Gloo that this header includes: CMakeLists.txt
// writes headers of their names which include this one. Only pointers and references of these types
// are used, and no object of them is made here.

namespace gloo {

class Context {
 public:
  void setTimeout(std::chrono::milliseconds timeout);
};

namespace transport {

class Device;

class UnboundBuffer {
 public:
  virtual ~UnboundBuffer();
};

}  // namespace transport

namespace rendezvous {

class Store {
 public:
  virtual ~Store();
  virtual void set(const std::string& key, const std::vector<char>& value) = 0;
  virtual std::vector<char> get(const std::string& key) = 0;
  virtual void wait(const std::vector<std::string>& keys) = 0;
  virtual void wait(const std::vector<std::string>& keys,
                    const std::chrono::milliseconds& timeout) = 0;
};

}  // namespace rendezvous
}  // namespace gloo
