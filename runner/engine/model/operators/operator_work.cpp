#include "runner/engine/model/operators/operator_work.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/record_function.h>

namespace knead::engine {
namespace {

using Inputs = c10::ArrayRef<const c10::IValue>;
using Formula = double (*)(Inputs);

at::IntArrayRef shape_of(Inputs inputs, std::size_t place) {
  return inputs[place].toTensor().sizes();
}

double product(at::IntArrayRef numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 1.0,
                         [](double all, std::int64_t each) { return all * double(each); });
}

/// Returns the work of a product (…, m, k) × (…, k, n) or (…, m, k) × (k). `Left` and `Right` are
/// the positions of the factors among the inputs.
template <std::size_t Left, std::size_t Right>
double matrices(Inputs inputs) {
  const at::IntArrayRef right = shape_of(inputs, Right);
  const double columns = right.size() < 2 ? 1.0 : double(right.back());
  return 2 * product(shape_of(inputs, Left)) * columns;
}

/// Returns the work of attention, whose queries, keys and values (batch, heads, length, width)
/// begin at input `First`: `OfKeys` products with the width of the keys and `OfValues` with that of
/// the values. Masked positions count, because whether a kernel skips them is not known.
template <std::size_t First, int OfKeys, int OfValues>
double attention(Inputs inputs) {
  const at::IntArrayRef queries = shape_of(inputs, First);
  const at::IntArrayRef keys = shape_of(inputs, First + 1);
  const at::IntArrayRef values = shape_of(inputs, First + 2);
  const double places = product(queries) / double(queries.back()) * double(keys[keys.size() - 2]);
  return 2 * places * (OfKeys * double(queries.back()) + OfValues * double(values.back()));
}

/// Returns the number of places, samples × spatial positions, at which a convolution applies its
/// whole weight.
double places_of(at::IntArrayRef batch, at::IntArrayRef spatial) {
  return double(batch.front()) * product(spatial.slice(2));
}

/// Returns the output shape of a convolution, by the formula of torch.nn.Conv2d. A list of one
/// number holds for all dimensions.
std::vector<std::int64_t> shape_after(at::IntArrayRef input, at::IntArrayRef weight,
                                      const std::vector<std::int64_t>& stride,
                                      const std::vector<std::int64_t>& padding,
                                      const std::vector<std::int64_t>& dilation) {
  std::vector<std::int64_t> shape = {input[0], weight[0]};
  const auto at = [](const std::vector<std::int64_t>& values, std::size_t i) {
    return values[std::min(i, values.size() - 1)];
  };
  for (std::size_t i = 0; i + 2 < input.size(); ++i) {
    const std::int64_t window = at(dilation, i) * (weight[i + 2] - 1) + 1;
    shape.push_back((input[i + 2] + 2 * at(padding, i) - window) / at(stride, i) + 1);
  }
  return shape;
}

/// Takes (input, weight, bias, stride, padding, dilation, transposed, …).
double convolution(Inputs inputs) {
  const at::IntArrayRef input = shape_of(inputs, 0);
  const at::IntArrayRef weight = shape_of(inputs, 1);
  const bool is_transposed = inputs[6].toBool();
  const auto output = shape_after(input, weight, inputs[3].toIntVector(), inputs[4].toIntVector(),
                                  inputs[5].toIntVector());
  return 2 * product(weight) * places_of(input, is_transposed ? input : at::IntArrayRef(output));
}

/// Takes (gradient, input, weight, bias_sizes, stride, padding, dilation, transposed,
/// output_padding, groups, output_mask). The gradients of input and weight each take the work of
/// one forward.
double convolution_backward(Inputs inputs) {
  const at::IntArrayRef gradient = shape_of(inputs, 0);
  const at::IntArrayRef input = shape_of(inputs, 1);
  const auto wanted = inputs[10].toBoolList();
  const double one =
      2 * product(shape_of(inputs, 2)) * places_of(input, inputs[7].toBool() ? input : gradient);
  return one * (int(wanted[0]) + int(wanted[1]));
}

/// Takes (input of shape (time, batch, …), weights of the input, weights of the state, …).
double recurrent(Inputs inputs) {
  const at::IntArrayRef input = shape_of(inputs, 0);
  const double steps = double(input[0]) * double(input[1]);
  return 2 * steps * (product(shape_of(inputs, 1)) + product(shape_of(inputs, 2)));
}

/// Counts the gradients of inputs and of weights, each as much as one forward.
double recurrent_backward(Inputs inputs) { return 2 * recurrent(inputs); }

struct Known {
  std::string_view name;
  Formula formula;
};

constexpr std::array kKnown{
    Known{"aten::mm", matrices<0, 1>},
    Known{"aten::bmm", matrices<0, 1>},
    Known{"aten::mv", matrices<0, 1>},
    Known{"aten::dot", matrices<0, 1>},
    Known{"aten::addmm", matrices<1, 2>},
    Known{"aten::addbmm", matrices<1, 2>},
    Known{"aten::baddbmm", matrices<1, 2>},
    Known{"aten::addmv", matrices<1, 2>},
    Known{"aten::convolution", convolution},
    Known{"aten::convolution_backward", convolution_backward},
    Known{"aten::_scaled_dot_product_flash_attention_for_cpu", attention<0, 1, 1>},
    Known{"aten::_scaled_dot_product_flash_attention_for_cpu_backward", attention<1, 3, 2>},
    Known{"aten::_scaled_dot_product_flash_attention", attention<0, 1, 1>},
    Known{"aten::_scaled_dot_product_flash_attention_backward", attention<1, 3, 2>},
    Known{"aten::_scaled_dot_product_efficient_attention", attention<0, 1, 1>},
    Known{"aten::_scaled_dot_product_efficient_attention_backward", attention<1, 3, 2>},
    Known{"aten::_scaled_dot_product_cudnn_attention", attention<0, 1, 1>},
    Known{"aten::_scaled_dot_product_cudnn_attention_backward", attention<1, 3, 2>},
    Known{"aten::mkldnn_rnn_layer", recurrent},
    Known{"aten::mkldnn_rnn_layer_backward", recurrent_backward},
};

constexpr std::array<std::string_view, 12> kUnknown{
    "aten::_fft",     "aten::linalg_",    "aten::_linalg",  "aten::cholesky",
    "aten::_ctc",     "aten::_cdist",     "aten::_pdist",   "aten::_trilinear",
    "aten::conv_tbc", "aten::_cudnn_rnn", "aten::_sparse_", "aten::grid_sampler",
};

/// Names the vector norm, which has a name of linear algebra but takes little work.
constexpr std::string_view kNorm = "aten::linalg_vector_norm";

// LibTorch's callbacks carry nothing of their own.
thread_local std::vector<WorkCount*> counting;
thread_local at::CallbackHandle callback;
thread_local int within = 0;  // operators that were counted and have not returned

}  // namespace

std::optional<double> operator_work(std::string_view name, Inputs inputs) {
  const auto known = std::find_if(kKnown.begin(), kKnown.end(),
                                  [&](const Known& each) { return each.name == name; });
  if (known == kKnown.end()) return std::nullopt;
  return known->formula(inputs);
}

std::int64_t parts_of_work(std::string_view name, Inputs inputs) {
  if (!name.starts_with("aten::mkldnn_rnn_layer")) return 1;
  return std::max<std::int64_t>(shape_of(inputs, 0).front(), 1);  // (time, batch, …)
}

bool is_unknown_work(std::string_view name) {
  const bool is_torchs = name.find("::") == name.npos || name.starts_with("aten::");
  if (!is_torchs) return true;  // an operator of another library
  return name != kNorm && std::any_of(kUnknown.begin(), kUnknown.end(), [&](std::string_view each) {
           return name.starts_with(each);
         });
}

/// Holds the callbacks for operators. While a counted operator runs, those that it calls are not
/// counted.
struct WorkCount::Calls {
  struct Counted : at::ObserverContext {};

  static std::unique_ptr<at::ObserverContext> start(const at::RecordFunction& function) {
    // A convolution calls the operator of its backend, which would count the work a second time.
    if (within > 0) return nullptr;
    const std::string_view name = function.name();
    // TorchScript passes its whole stack, whose last items are the arguments.
    const Inputs all = function.inputs();
    const Inputs inputs = all.slice(all.size() - function.num_inputs());
    if (const auto work = operator_work(name, inputs)) {
      for (WorkCount* count : counting)
        count->add(*work, *work / double(parts_of_work(name, inputs)));
    } else if (is_unknown_work(name)) {
      for (WorkCount* count : counting)
        ++count->unknown_[std::string(name.substr(name.rfind(':') + 1))];
    } else {
      return nullptr;
    }
    ++within;
    return std::make_unique<Counted>();
  }

  static void end(const at::RecordFunction&, at::ObserverContext* context) {
    if (context) --within;
  }
};

void WorkCount::add(double work, double part) {
  if (part >= least_) total_ += work;
}

WorkCount::WorkCount(double least) : least_(least) {
  if (counting.empty())
    callback = at::addThreadLocalCallback(at::RecordFunctionCallback(Calls::start, Calls::end)
                                              .needsInputs(true)
                                              .scopes({at::RecordScope::FUNCTION}));
  counting.push_back(this);
}

WorkCount::~WorkCount() {
  std::erase(counting, this);
  if (counting.empty()) at::removeCallback(callback);
}

}  // namespace knead::engine
