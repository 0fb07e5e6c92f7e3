#include "runner/engine/model/operators/language_operators.h"

#include <set>
#include <sstream>
#include <string>

namespace knead::engine::model {
namespace {

using Words = std::set<std::string, std::less<>>;

/// Operators on numbers, texts, lists and dicts, and the spellings of native operators that only
/// TorchScript has. Left out: what makes a text longer than its arguments (ljust, zfill, "%9d"),
/// what reads the state of the process (seeds, threads, autocast), remote objects, warnings.
constexpr const char* kLanguage =
    "__contains__ __derive_index __getitem__ __is__ __isnot__ __not__ __range_length "
    "__round_to_zero_floordiv _infer_size _list_to_tensor _set_item _size_if_not_equal "
    "_tensor_to_list _unwrap_optional append as_tensor backward bin Bool capitalize chr clear "
    "Complex ComplexImplicit count cpu degrees Delete device dict dim divmod element_size "
    "endswith extend fabs factorial find Float FloatImplicit floordiv fmod format gamma get "
    "get_device grad hex insert Int IntImplicit is_contiguous is_grad_enabled "
    "is_non_overlapping_and_dense is_scripting isalnum isalpha isdecimal isdigit isidentifier "
    "islower isnumeric isprintable isspace istitle isupper items join keys len list lower "
    "lstrip mathremainder modf neg numel oct ord partition pop popitem radians remove replace "
    "reverse rfind rindex rpartition rsplit rstrip ScalarImplicit set_grad_enabled setdefault "
    "Size sorted splitlines startswith storage_offset str strip swapcase tensor title to update "
    "upper values ";

constexpr const char* kPrimitives =
    "CallFunction CallMethod Constant ConstantChunk CreateObject DictConstruct Enter "
    "EnumName EnumValue Exit GetAttr If ListConstruct ListUnpack Load Loop ModuleContainerIndex "
    "NumToTensor Print RaiseException Return SetAttr Store StringIndex TupleConstruct TupleIndex "
    "TupleSlice "
    "TupleUnpack Uninitialized abs data device dtype grad index is_cpu is_cuda is_meta "
    "is_mkldnn is_mps is_nested is_quantized is_sparse is_sparse_csr is_xla isinstance itemsize "
    "layout max min nbytes rangelist requires_grad tolist type unchecked_cast "
    "unchecked_unwrap_optional ";

Words words_of_list(const char* list) {
  Words words;
  std::istringstream stream(list);
  for (std::string word; stream >> word;) words.insert(word);
  return words;
}

}  // namespace

bool is_of_language(std::string_view name) {
  static const Words names = words_of_list(kLanguage);
  return names.contains(name);
}

bool is_primitive(std::string_view name) {
  static const Words names = words_of_list(kPrimitives);
  return names.contains(name);
}

}  // namespace knead::engine::model
