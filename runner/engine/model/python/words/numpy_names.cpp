#include "runner/engine/model/python/words/numpy_names.h"

#include <algorithm>

namespace knead::engine::model {

namespace {

/// The public names of NumPy 2 that models do not have, those of its modules with their prefix.
constexpr std::string_view kNames = R"(
ScalarType acosh angle apply_along_axis apply_over_axes argpartition
array2string array_equiv array_repr array_str asarray_chkfinite asfortranarray asinh asmatrix
atanh atleast_3d bartlett base_repr binary_repr bitwise_count bitwise_invert bitwise_left_shift
bitwise_right_shift block bmat broadcast broadcast_arrays broadcast_shapes busday_count
busday_offset busdaycalendar bytes_ c_ can_cast cdouble char character choose clongdouble
common_type complex128 complex256 complex64 complexfloating compress conj conjugate convolve
copyto core corrcoef correlate cov csingle ctypeslib cumulative_prod cumulative_sum datetime64
datetime_as_string datetime_data diag_indices diag_indices_from diagflat digitize divmod dsplit
dstack dtypes ediff1d einsum_path emath errstate exceptions extract f2py fft fill_diagonal
flatiter flexible float128 float_power format_float_positional
format_float_scientific frexp from_dlpack frombuffer fromfile fromfunction fromiter frompyfunc
fromregex fromstring gcd genfromtxt get_include get_printoptions getbufsize geterr
geterrcall gradient heaviside histogram histogram2d histogram_bin_edges histogramdd hsplit i0
imag index_exp info inner insert intersect1d is_busday iscomplex iscomplexobj isdtype isfortran
isnat isneginf isposinf isreal isrealobj issubdtype iterable ix_ kaiser lcm ldexp
lexsort lib little_endian load loadtxt logaddexp logaddexp2 longdouble ma mask_indices matrix
matrix_transpose matvec may_share_memory memmap mgrid min_scalar_type mintypecode modf nanargmax
nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin nanpercentile nanprod nanquantile
nanstd nansum nanvar ndenumerate ndindex nditer nested_iters nextafter object_ ogrid packbits
pad partition percentile piecewise place poly poly1d polyadd polyder polydiv polyfit polyint
polymul polynomial polysub polyval printoptions promote_types put put_along_axis putmask
quantile r_ ravel_multi_index real real_if_close rec recarray record require resize result_type
rollaxis roots row_stack s_ save savetxt savez savez_compressed sctypeDict select setbufsize
setdiff1d seterrcall setxor1d shares_memory show_config show_runtime signbit sort_complex
spacing str_ strings tensordot test testing timedelta64 trapezoid tril_indices_from trim_zeros
triu_indices_from typecodes typename typing ufunc uint uint16 uint32 uint64 uintc uintp ulong
ulonglong union1d unique_all unique_counts unique_inverse unique_values unpackbits unravel_index
unstack unwrap ushort vander vdot vecdot vecmat vectorize void vsplit linalg.cond linalg.eig
linalg.eigvals linalg.eigvalsh linalg.lstsq linalg.matrix_norm linalg.matrix_power
linalg.matrix_rank linalg.matrix_transpose linalg.multi_dot linalg.slogdet linalg.svdvals
linalg.tensordot linalg.tensorinv linalg.tensorsolve linalg.test linalg.vecdot
linalg.vector_norm random.BitGenerator random.Generator random.MT19937 random.PCG64
random.PCG64DXSM random.Philox random.SFC64 random.SeedSequence random.beta random.binomial
random.bit_generator random.bytes random.chisquare random.default_rng random.dirichlet
random.gamma random.geometric random.get_bit_generator random.get_state random.gumbel
random.hypergeometric random.laplace random.logistic random.lognormal random.logseries
random.mtrand random.multinomial random.multivariate_normal random.negative_binomial
random.noncentral_chisquare random.noncentral_f random.pareto random.poisson
random.random_integers random.rayleigh random.sample random.set_bit_generator random.set_state
random.standard_cauchy random.standard_exponential random.standard_gamma random.standard_t
random.test random.triangular random.vonmises random.wald random.weibull random.zipf
)";

}  // namespace

bool is_name_of_numpy(std::string_view name) {
  if (!name.starts_with("numpy.") || name.find_first_of(" \n") != name.npos) return false;
  name.remove_prefix(6);
  const auto is_space = [](char letter) { return letter == ' ' || letter == '\n'; };
  for (std::size_t at = kNames.find(name); at != kNames.npos; at = kNames.find(name, at + 1)) {
    if (is_space(kNames[at - 1]) && is_space(kNames[at + name.size()])) return true;
  }
  return false;
}

}  // namespace knead::engine::model
