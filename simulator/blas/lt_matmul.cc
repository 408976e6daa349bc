// cublasLtMatmul, and the calls that say whether it can be done.

#include <cublasLt.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "simulator/blas/call.h"
#include "simulator/blas/lt_objects.h"
#include "simulator/blas/product.h"

namespace simulator::blas {
namespace {

using __simulator::__Where;

// Where the objects stand among the call's arguments.
struct Places {
  int description, a, b, c, d;
};
constexpr Places kMatmulPlaces{2, 5, 7, 10, 12};
constexpr Places kHeuristicPlaces{2, 3, 4, 5, 6};

constexpr std::uint32_t kLargestAccess = 16;  // of a GPU's thread, in bytes

struct Layouts {
  const MatrixLayout* a = nullptr;
  const MatrixLayout* b = nullptr;
  const MatrixLayout* c = nullptr;
  const MatrixLayout* d = nullptr;
};

struct Plan {
  Product product;
  cudaDataType scale_type = CUDA_R_32F;
  bool scalars_on_device = false;
};

cudaDataType type_of(const MatrixLayout& layout) { return static_cast<cudaDataType>(layout.type); }
bool in_rows(const MatrixLayout& layout) { return layout.order == CUBLASLT_ORDER_ROW; }

Operand operand(const MatrixLayout& layout) {
  Operand matrix = in_columns(nullptr, type_of(layout), layout.leading);
  matrix.batch_stride = layout.batch_stride;
  return in_rows(layout) ? matrix.transposed() : matrix;
}

Extent extent(const MatrixLayout& layout) {
  const std::size_t bytes = element_bytes(type_of(layout));
  Extent whole = matrix_extent(in_rows(layout) ? layout.columns : layout.rows,
                               in_rows(layout) ? layout.rows : layout.columns,
                               static_cast<std::size_t>(layout.leading), bytes);
  whole.batches = static_cast<std::size_t>(layout.batches);
  whole.batch_bytes = static_cast<std::size_t>(layout.batch_stride) * bytes;
  return whole;
}

std::string shape(std::uint64_t rows, std::uint64_t columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

void check_layout(Call& call, int place, const char* name, const MatrixLayout* layout) {
  call.require(layout != nullptr, place, name, "no layout",
               "one from cublasLtMatrixLayoutCreate that was not destroyed");
  if (!call.good()) return;
  call.require(layout->order == CUBLASLT_ORDER_COL || layout->order == CUBLASLT_ORDER_ROW, place,
               name, "of order " + std::to_string(layout->order),
               "of order CUBLASLT_ORDER_COL or CUBLASLT_ORDER_ROW", "",
               CUBLAS_STATUS_NOT_SUPPORTED);
  call.require(layout->batch_mode == CUBLASLT_BATCH_MODE_STRIDED, place, name,
               "a batch by pointers", "a batch at equal distances", "",
               CUBLAS_STATUS_NOT_SUPPORTED);
  call.require(layout->batches >= 1, place, name, "a batch of " + std::to_string(layout->batches),
               "a batch of at least 1");
  call.require(layout->batch_stride >= 0, place, name,
               "a batch of stride " + std::to_string(layout->batch_stride), "of at least 0", "",
               CUBLAS_STATUS_NOT_SUPPORTED);
  const std::uint64_t least = std::max<std::uint64_t>(
      1, layout->order == CUBLASLT_ORDER_ROW ? layout->columns : layout->rows);
  call.require(layout->leading > 0 && static_cast<std::uint64_t>(layout->leading) >= least, place,
               name, "of leading dimension " + std::to_string(layout->leading),
               "of at least " + std::to_string(least),
               "The leading dimension counts the elements of a column, or of a row in "
               "CUBLASLT_ORDER_ROW: those of the matrix as it is stored, before any transpose.");
}

bool is_operation(int operation) { return operation >= CUBLAS_OP_N && operation <= CUBLAS_OP_C; }

// The sizes: D is m x n, op(A) is m x k, op(B) is k x n.
void check_shapes(Call& call, const MatmulDescription& description, const Layouts& layouts,
                  const Places& places, ProductSize* size) {
  const bool turn_a = description.transa != CUBLAS_OP_N;
  const bool turn_b = description.transb != CUBLAS_OP_N;
  const MatrixLayout& a = *layouts.a;
  const MatrixLayout& b = *layouts.b;
  size->m = layouts.d->rows;
  size->n = layouts.d->columns;
  size->k = turn_a ? a.rows : a.columns;
  size->batches = static_cast<std::size_t>(layouts.d->batches);
  const std::string d = " (D is " + shape(size->m, size->n) + ")";
  call.require((turn_a ? a.columns : a.rows) == size->m, places.a, "Adesc",
               shape(a.rows, a.columns) + (turn_a ? ", to be transposed" : ""),
               "such that op(A) has " + std::to_string(size->m) + " rows" + d);
  call.require((turn_b ? b.rows : b.columns) == size->n, places.b, "Bdesc",
               shape(b.rows, b.columns) + (turn_b ? ", to be transposed" : ""),
               "such that op(B) has " + std::to_string(size->n) + " columns" + d);
  call.require((turn_b ? b.columns : b.rows) == size->k, places.b, "Bdesc",
               shape(b.rows, b.columns) + (turn_b ? ", to be transposed" : ""),
               "such that op(B) has as many rows as op(A) has columns, " + std::to_string(size->k));
  call.require(layouts.c->rows == size->m && layouts.c->columns == size->n, places.c, "Cdesc",
               shape(layouts.c->rows, layouts.c->columns), "as D, " + shape(size->m, size->n));
  for (const auto& [layout, place, name] :
       {std::tuple(layouts.a, places.a, "Adesc"), std::tuple(layouts.b, places.b, "Bdesc"),
        std::tuple(layouts.c, places.c, "Cdesc")}) {
    call.require(layout->batches == layouts.d->batches, place, name,
                 "a batch of " + std::to_string(layout->batches),
                 "of as many as D's, " + std::to_string(layouts.d->batches));
  }
  call.require(layouts.d->batches == 1 || layouts.d->batch_stride != 0, places.d, "Ddesc",
               "a batch of stride 0",
               "of a larger stride: all products would be written to one place");
}

void check_epilogue(Call& call, const MatmulDescription& description, const Layouts& layouts,
                    const Places& places, Plan* plan) {
  Epilogue& epilogue = plan->product.epilogue;
  epilogue.kind = static_cast<cublasLtEpilogue_t>(description.epilogue);
  if (epilogue.kind == CUBLASLT_EPILOGUE_DEFAULT) return;
  const char kName[] = "computeDesc";
  call.require(is_supported(epilogue.kind), places.description, kName,
               "of epilogue " + std::to_string(description.epilogue),
               "of one that the simulator has: RELU, GELU, BIAS and what they combine to, "
               "GELU_AUX, DGELU, DGELU_BGRAD, BGRADA, BGRADB",
               "", CUBLAS_STATUS_NOT_SUPPORTED);
  call.require(!in_rows(*layouts.c) && !in_rows(*layouts.d), places.d, "Ddesc",
               "of order CUBLASLT_ORDER_ROW", "of CUBLASLT_ORDER_COL where there is an epilogue",
               "", CUBLAS_STATUS_NOT_SUPPORTED);
  call.require(plan->product.arithmetic != Arithmetic::in_int, places.description, kName,
               "of an epilogue on integers", "CUBLASLT_EPILOGUE_DEFAULT", "",
               CUBLAS_STATUS_NOT_SUPPORTED);
  if (!call.good()) return;
  const cudaDataType type = type_of(*layouts.d);
  if (epilogue.adds_bias() || epilogue.writes_bias()) {
    call.require(description.bias_type == -1 || description.bias_type == type, places.description,
                 kName, "of a bias of another type than D",
                 std::string("of one of D's, ") + type_name(type), "", CUBLAS_STATUS_NOT_SUPPORTED);
    call.require(description.bias_stride >= 0, places.description, kName,
                 "of a negative bias stride", "of one of at least 0", "",
                 CUBLAS_STATUS_NOT_SUPPORTED);
    epilogue.bias = in_columns(description.bias, type, 0);
    epilogue.bias.batch_stride = description.bias_stride;
  }
  if (epilogue.has_auxiliary()) {
    const std::int64_t leading = description.auxiliary_leading;
    call.require(description.auxiliary_type == -1 || description.auxiliary_type == type,
                 places.description, kName, "of an auxiliary matrix of another type than D",
                 std::string("of one of D's, ") + type_name(type), "", CUBLAS_STATUS_NOT_SUPPORTED);
    call.require(
        leading % 8 == 0 && leading >= static_cast<std::int64_t>(layouts.d->rows) && leading > 0,
        places.description, kName,
        "of CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD " + std::to_string(leading),
        "of a multiple of 8 that is at least D's rows, " + std::to_string(layouts.d->rows));
    call.require(description.auxiliary_stride >= 0 &&
                     (layouts.d->batches == 1 || description.auxiliary_stride > 0),
                 places.description, kName,
                 "of CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE " +
                     std::to_string(description.auxiliary_stride),
                 "of a larger one, for a batch");
    call.require(description.auxiliary_stride % 8 == 0, places.description, kName,
                 "of CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE " +
                     std::to_string(description.auxiliary_stride),
                 "of a multiple of 8");
    epilogue.auxiliary = in_columns(description.auxiliary, type, leading);
    epilogue.auxiliary.batch_stride = description.auxiliary_stride;
  }
}

// All that does not depend on the matrices' addresses.
Plan make_plan(Call& call, cublasLtMatmulDesc_t description_object, const Layouts& layouts,
               const Places& places) {
  Plan plan;
  const MatmulDescription* const description = held(description_object);
  call.require(description != nullptr, places.description, "computeDesc", "no description",
               "one from cublasLtMatmulDescCreate that was not destroyed");
  check_layout(call, places.a, "Adesc", layouts.a);
  check_layout(call, places.b, "Bdesc", layouts.b);
  check_layout(call, places.c, "Cdesc", layouts.c);
  check_layout(call, places.d, "Ddesc", layouts.d);
  if (!call.good()) return plan;
  const char kName[] = "computeDesc";
  call.require(is_operation(description->transa) && is_operation(description->transb),
               places.description, kName, "of a transpose that is none",
               "of CUBLAS_OP_N, CUBLAS_OP_T or CUBLAS_OP_C");
  call.require(
      description->transc == CUBLAS_OP_N && description->fill_mode == CUBLAS_FILL_MODE_FULL,
      places.description, kName, "of a transposed C or of a triangle",
      "of CUBLAS_OP_N and CUBLAS_FILL_MODE_FULL", "", CUBLAS_STATUS_NOT_SUPPORTED);
  call.require(description->pointer_mode == CUBLASLT_POINTER_MODE_HOST ||
                   description->pointer_mode == CUBLASLT_POINTER_MODE_DEVICE,
               places.description, kName,
               "of pointer mode " + std::to_string(description->pointer_mode), "of HOST or DEVICE",
               "", CUBLAS_STATUS_NOT_SUPPORTED);
  if (call.good()) check_shapes(call, *description, layouts, places, &plan.product.size);
  const bool types_match =
      call.good() && type_of(*layouts.c) == type_of(*layouts.d) &&
      find_arithmetic(static_cast<cublasComputeType_t>(description->compute_type),
                      type_of(*layouts.a), type_of(*layouts.b), type_of(*layouts.d),
                      &plan.product.arithmetic, &plan.scale_type) &&
      description->scale_type == plan.scale_type;
  if (call.good() && !types_match) {
    call.refuse(CUBLAS_STATUS_NOT_SUPPORTED,
                std::string(call.function()) + ": no product is defined for A of " +
                    type_name(type_of(*layouts.a)) + ", B of " + type_name(type_of(*layouts.b)) +
                    ", C of " + type_name(type_of(*layouts.c)) + " and D of " +
                    type_name(type_of(*layouts.d)) + " with compute type " +
                    std::to_string(description->compute_type) + " and scale type " +
                    type_name(static_cast<cudaDataType>(description->scale_type)),
                "C is of D's type. With CUBLAS_COMPUTE_32F alpha and beta are float (the scale "
                "type), A and B both float, half, bfloat16 or int8, and D float, or half or "
                "bfloat16 like A and B; with 16F all are half, with 64F double, with 32I A and B "
                "int8 and the rest int32.");
  }
  if (!call.good()) return plan;
  plan.scalars_on_device = description->pointer_mode == CUBLASLT_POINTER_MODE_DEVICE;
  plan.product.a = operand(*layouts.a);
  plan.product.b = operand(*layouts.b);
  if (description->transa != CUBLAS_OP_N) plan.product.a = plan.product.a.transposed();
  if (description->transb != CUBLAS_OP_N) plan.product.b = plan.product.b.transposed();
  plan.product.c = operand(*layouts.c);
  plan.product.d = operand(*layouts.d);
  check_epilogue(call, *description, layouts, places, &plan);
  return plan;
}

void check_handle(Call& call, cublasLtHandle_t handle) {
  call.require(is_handle(handle), 1, "lightHandle", handle == nullptr ? "null" : "no handle",
               "what cublasLtCreate gave", "", CUBLAS_STATUS_NOT_INITIALIZED);
}

// The largest number of bytes up to 16 that the pointer is a multiple of.
std::uint32_t alignment_of(const void* pointer) {
  std::uint32_t alignment = kLargestAccess;
  while (reinterpret_cast<std::uintptr_t>(pointer) % alignment != 0) alignment /= 2;
  return alignment;
}

// What the heuristic is told, and so may build upon.
MatmulAlgorithm algorithm_for(const MatmulPreference& preference,
                              const MatmulDescription& description) {
  MatmulAlgorithm algorithm;
  for (int i = 0; i < 4; ++i) {
    algorithm.alignment[i] = std::min(kLargestAccess, preference.alignment[i]);
  }
  algorithm.bias_alignment = alignment_of(description.bias);
  algorithm.auxiliary_alignment = alignment_of(description.auxiliary);
  return algorithm;
}

void write_result(const MatmulAlgorithm& algorithm, cublasLtMatmulHeuristicResult_t* result) {
  *result = {};
  static_assert(sizeof(MatmulAlgorithm) <= sizeof(result->algo));
  new (&result->algo) MatmulAlgorithm(algorithm);
  result->state = CUBLAS_STATUS_SUCCESS;
  result->wavesCount = 1;
}

void check_alignment(Call& call, int place, const char* name, const void* pointer,
                     std::uint32_t promised) {
  call.require(alignment_of(pointer) >= promised, place, name,
               "a multiple of " + std::to_string(alignment_of(pointer)) + " bytes only",
               "a multiple of " + std::to_string(promised) + ", as the algorithm was told",
               "The heuristic takes pointers of matrices to be as "
               "CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES and its like say, which is 256 bytes "
               "unless they are set, and those of an epilogue as they are when it is asked: on a "
               "GPU the algorithm may read 16 bytes at once.");
}

void declare_epilogue(Call& call, const Plan& plan) {
  const Product& product = plan.product;
  const Epilogue& epilogue = product.epilogue;
  const std::size_t bytes = element_bytes(product.d.type);
  if (epilogue.adds_bias() || epilogue.writes_bias()) {
    Extent bias{
        (epilogue.kind == CUBLASLT_EPILOGUE_BGRADB ? product.size.n : product.size.m) * bytes, 1, 0,
        product.size.batches, static_cast<std::size_t>(epilogue.bias.batch_stride) * bytes};
    call.memory(epilogue.adds_bias() ? MemoryUse::reads : MemoryUse::writes, 2,
                "CUBLASLT_MATMUL_DESC_BIAS_POINTER", epilogue.bias.data, bias);
  }
  if (epilogue.has_auxiliary()) {
    Extent auxiliary =
        matrix_extent(product.size.m, product.size.n,
                      static_cast<std::size_t>(epilogue.auxiliary.column_stride), bytes);
    auxiliary.batches = product.size.batches;
    auxiliary.batch_bytes = static_cast<std::size_t>(epilogue.auxiliary.batch_stride) * bytes;
    call.memory(epilogue.reads_auxiliary() ? MemoryUse::reads : MemoryUse::writes, 2,
                "CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER", epilogue.auxiliary.data, auxiliary);
  }
}

}  // namespace
}  // namespace simulator::blas

namespace blas = simulator::blas;
using simulator::MemoryUse;
using Where = __simulator::__Where;

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t description,
                              const void* alpha, const void* a, cublasLtMatrixLayout_t a_layout,
                              const void* b, cublasLtMatrixLayout_t b_layout, const void* beta,
                              const void* c, cublasLtMatrixLayout_t c_layout, void* d,
                              cublasLtMatrixLayout_t d_layout,
                              const cublasLtMatmulAlgo_t* algorithm, void* /*workspace*/,
                              size_t /*workspace_bytes*/, cudaStream_t stream, Where where) {
  blas::Call call("cublasLtMatmul", where);
  blas::check_handle(call, handle);
  const blas::Layouts layouts{blas::held(a_layout), blas::held(b_layout), blas::held(c_layout),
                              blas::held(d_layout)};
  blas::Plan plan = blas::make_plan(call, description, layouts, blas::kMatmulPlaces);
  call.require(algorithm == nullptr || blas::held(algorithm) != nullptr, 13, "algo", "no algorithm",
               "null, or one that cublasLtMatmulAlgoGetHeuristic gave");
  const blas::Scalar alpha_scalar =
      call.scalar(3, "alpha", plan.scale_type, alpha, plan.scalars_on_device);
  const blas::Scalar beta_scalar =
      call.scalar(8, "beta", plan.scale_type, beta, plan.scalars_on_device);
  if (!call.good()) return call.status();
  blas::Product& product = plan.product;
  if (product.size.m == 0 || product.size.n == 0) return CUBLAS_STATUS_SUCCESS;

  // The gradient of a bias is a sum over A or B, whatever alpha is.
  const cublasLtEpilogue_t kind = product.epilogue.kind;
  const bool alpha_matters = alpha_scalar.on_device() || alpha_scalar.value() != 0;
  if (product.size.k != 0 && (alpha_matters || kind == CUBLASLT_EPILOGUE_BGRADA)) {
    call.reads(4, "A", a, blas::extent(*layouts.a),
               kind == CUBLASLT_EPILOGUE_BGRADA ? blas::Use::always : blas::Use::if_alpha);
  }
  if (product.size.k != 0 && (alpha_matters || kind == CUBLASLT_EPILOGUE_BGRADB)) {
    call.reads(6, "B", b, blas::extent(*layouts.b),
               kind == CUBLASLT_EPILOGUE_BGRADB ? blas::Use::always : blas::Use::if_alpha);
  }
  if (beta_scalar.on_device() || beta_scalar.value() != 0) {
    call.reads(9, "C", c, blas::extent(*layouts.c), blas::Use::if_beta);
    call.require(c != d || (layouts.c->leading == layouts.d->leading &&
                            layouts.c->order == layouts.d->order &&
                            layouts.c->batch_stride == layouts.d->batch_stride),
                 10, "Cdesc", "another layout than Ddesc", "the same where C is D");
  }
  call.writes(11, "D", d, blas::extent(*layouts.d));
  blas::declare_epilogue(call, plan);
  if (algorithm != nullptr) {
    const blas::MatmulAlgorithm& told = *blas::held(algorithm);
    blas::check_alignment(call, 4, "A", a, told.alignment[0]);
    blas::check_alignment(call, 6, "B", b, told.alignment[1]);
    if (beta_scalar.on_device() || beta_scalar.value() != 0) {
      blas::check_alignment(call, 9, "C", c, told.alignment[2]);
    }
    blas::check_alignment(call, 11, "D", d, told.alignment[3]);
    const blas::Epilogue& epilogue = product.epilogue;
    if (epilogue.adds_bias() || epilogue.writes_bias()) {
      blas::check_alignment(call, 2, "CUBLASLT_MATMUL_DESC_BIAS_POINTER", epilogue.bias.data,
                            told.bias_alignment);
    }
    if (epilogue.has_auxiliary()) {
      blas::check_alignment(call, 2, "CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER",
                            epilogue.auxiliary.data, told.auxiliary_alignment);
    }
  }
  product.a.data = a;
  product.b.data = b;
  product.c.data = c;
  product.d.data = d;
  return call.submit(stream, alpha_scalar, beta_scalar,
                     [product](double alpha_value, double beta_value) {
                       blas::compute(product, alpha_value, beta_value);
                     });
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t description, cublasLtMatrixLayout_t a_layout,
    cublasLtMatrixLayout_t b_layout, cublasLtMatrixLayout_t c_layout,
    cublasLtMatrixLayout_t d_layout, cublasLtMatmulPreference_t preference, int requested,
    cublasLtMatmulHeuristicResult_t results[], int* returned, Where where) {
  blas::Call call("cublasLtMatmulAlgoGetHeuristic", where);
  if (returned != nullptr) *returned = 0;
  blas::check_handle(call, handle);
  call.require(blas::held(preference) != nullptr, 7, "preference", "no preference",
               "one from cublasLtMatmulPreferenceCreate that was not destroyed");
  call.require(requested >= 1, 8, "requestedAlgoCount", std::to_string(requested), "at least 1");
  call.given(9, "heuristicResultsArray", results);
  call.given(10, "returnAlgoCount", returned);
  blas::make_plan(
      call, description,
      {blas::held(a_layout), blas::held(b_layout), blas::held(c_layout), blas::held(d_layout)},
      blas::kHeuristicPlaces);
  if (!call.good()) return call.status();
  blas::write_result(blas::algorithm_for(*blas::held(preference), *blas::held(description)),
                     results);
  *returned = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t description,
                                       cublasLtMatrixLayout_t a_layout,
                                       cublasLtMatrixLayout_t b_layout,
                                       cublasLtMatrixLayout_t c_layout,
                                       cublasLtMatrixLayout_t d_layout,
                                       const cublasLtMatmulAlgo_t* algorithm,
                                       cublasLtMatmulHeuristicResult_t* result, Where where) {
  blas::Call call("cublasLtMatmulAlgoCheck", where);
  blas::check_handle(call, handle);
  call.require(blas::held(algorithm) != nullptr, 7, "algo", "no algorithm",
               "one that cublasLtMatmulAlgoGetHeuristic gave");
  call.given(8, "result", result);
  blas::make_plan(
      call, description,
      {blas::held(a_layout), blas::held(b_layout), blas::held(c_layout), blas::held(d_layout)},
      blas::kHeuristicPlaces);
  if (call.good()) blas::write_result(*blas::held(algorithm), result);
  return call.status();
}
