#pragma once

namespace knead::engine::model::numpy {

/// Return the sine and the cosine with NumPy's bits. For float32 NumPy has polynomials of its own
/// on processors with FMA; about one result in twenty is not the nearest float32. For float64 these
/// are the functions of the C library.
float sine(float x);
double sine(double x);
float cosine(float x);
double cosine(double x);

}  // namespace knead::engine::model::numpy
