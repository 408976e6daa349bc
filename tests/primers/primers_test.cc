// What docs/gradients.md and docs/language_models.md say in numbers is computed here, with the
// lessons' references where they have the operation.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "lessons/05_gelu_mlp/reference.h"
#include "lessons/07_full_model/cross_entropy_reference.h"
#include "tests/harness/document.h"

namespace andrea {
namespace {

using reference::Matrix;
using reference::Vector;

// The cells of a row of a table: a name, then numbers.
template <typename Numbers>
std::vector<std::string> cells(const std::string& name, const Numbers& numbers, int digits = 4) {
  std::vector<std::string> result = {name};
  for (const auto number : numbers) {
    result.push_back(text_of_number(static_cast<double>(number), digits));
  }
  return result;
}

class GradientsTest : public ::testing::Test {
 protected:
  const Document page_{"docs/gradients.md"};
};

TEST_F(GradientsTest, ALossAndItsGradient) {
  const Vector<double> x{{2, 1}}, w{{0.5, -1}};
  const auto loss = [&](const Vector<double>& weights) { return std::pow(weights.dot(x) - 1, 2); };
  const Vector<double> dw = 2 * (w.dot(x) - 1) * x, stepped = w - 0.1 * dw;
  EXPECT_TRUE(page_.has_row({text_of_number(w.dot(x)), text_of_number(loss(w))}));
  EXPECT_TRUE(page_.has_row(cells("w", w)));
  EXPECT_TRUE(page_.has_row(cells("dw", dw)));
  EXPECT_TRUE(page_.has_row(cells("w - 0.1 dw", stepped)));
  EXPECT_NEAR(loss(stepped), 0, 1e-12);
  const double above = loss(Vector<double>{{0.51, -1}}), below = loss(Vector<double>{{0.49, -1}});
  EXPECT_TRUE(page_.has("(" + text_of_number(above, 5) + " - " + text_of_number(below, 5) +
                        ") / 0.02 = " + text_of_number((above - below) / 0.02)));
}

TEST_F(GradientsTest, ReadTwice) {
  const auto y = [](double x) { return x * x + 3 * x; };
  EXPECT_TRUE(page_.has_row({"sum", text_of_number(2 + 2 + 3)}));
  EXPECT_TRUE(page_.has("(" + text_of_number(y(2.01), 6) + " - " + text_of_number(y(1.99), 6) +
                        ") / 0.02 = " + text_of_number((y(2.01) - y(1.99)) / 0.02)));
}

TEST_F(GradientsTest, GatherAndScatter) {
  const std::vector<int> id = {2, 0, 2}, dout = {1, 10, 100};
  std::vector<int> dtable(3);
  for (std::size_t n = 0; n < id.size(); ++n) dtable[static_cast<std::size_t>(id[n])] += dout[n];
  EXPECT_TRUE(page_.has_row(cells("id", id)));
  EXPECT_TRUE(page_.has_row(cells("dout", dout)));
  EXPECT_TRUE(page_.has_row(cells("dtable", dtable)));
  EXPECT_TRUE(page_.has("= " + std::to_string(dout[0] + dout[1] + dout[2]) + "."));
}

TEST_F(GradientsTest, MatrixProduct) {
  const Matrix<double> X{{1, 2}, {3, -1}}, W{{0.5, -1, 2}, {1, 0, -0.5}}, dY{{1, 0, -1}, {2, 1, 0}};
  const auto Y = reference::linear_forward<double>(X, W, {});
  const auto gradients = reference::linear_backward<double>(dY, X, W);
  const auto has_matrix = [&](const std::string& name, const Matrix<double>& matrix) {
    return page_.has_row({name, text_of(matrix.row(0)), text_of(matrix.row(1))});
  };
  EXPECT_TRUE(has_matrix("X", X));
  EXPECT_TRUE(has_matrix("W", W));
  EXPECT_TRUE(has_matrix("Y = X W", Y));
  EXPECT_TRUE(has_matrix("dY", dY));
  EXPECT_TRUE(has_matrix("dX = dY W^T", gradients.dx));
  EXPECT_TRUE(has_matrix("dW = X^T dY", gradients.dweight));
}

TEST_F(GradientsTest, Softmax) {
  const Vector<double> S{{1, 2, 0.5}}, dP{{1, -1, 2}};
  const Vector<double> P = reference::log_softmax<double>(S).array().exp();
  const double r = P.dot(dP);
  const Vector<double> products = P.array() * dP.array(), dS = P.array() * (dP.array() - r);
  EXPECT_TRUE(page_.has_row(cells("S", S)));
  EXPECT_TRUE(page_.has_row(cells("P", P)));
  EXPECT_TRUE(page_.has_row(cells("dP", dP)));
  EXPECT_TRUE(page_.has_row(cells("P * dP", products)));
  EXPECT_TRUE(page_.has_row(cells("dS", dS)));
  EXPECT_TRUE(page_.has("r = " + text_of_number(r) + "."));
  // The formula itself, against central differences of the sum of P * dP.
  for (int j = 0; j < 3; ++j) {
    Vector<double> above = S, below = S;
    above[j] += 1e-5;
    below[j] -= 1e-5;
    const auto weighted = [&](const Vector<double>& scores) {
      return reference::log_softmax<double>(scores).array().exp().matrix().dot(dP);
    };
    EXPECT_NEAR((weighted(above) - weighted(below)) / 2e-5, dS[j], 1e-9);
  }

  const Matrix<double> logits = S;
  const auto loss = reference::cross_entropy_forward<double>(logits, {1});
  EXPECT_TRUE(page_.has("= " + text_of_number(loss[0]) + "."));
  EXPECT_TRUE(page_.has_row(
      cells("dS of the loss",
            Vector<double>(reference::cross_entropy_backward<double>(logits, {1}, 1).row(0)))));
}

TEST(LanguageModelsTest, Loss) {
  const Document page("docs/language_models.md");
  const std::vector<std::string> targets = {"cat", "sat", "down"};
  const std::vector<double> p = {0.2, 0.5, 0.1};
  double sum = 0;
  for (std::size_t t = 0; t < p.size(); ++t) {
    EXPECT_TRUE(page.has_row(
        {std::to_string(t), targets[t], text_of_number(p[t]), text_of_number(-std::log(p[t]))}));
    sum -= std::log(p[t]);
  }
  const double loss = sum / 3;
  EXPECT_TRUE(page.has("| mean | | | " + text_of_number(loss) + " |"));
  EXPECT_TRUE(page.has("here " + text_of_number(std::exp(loss)) + "."));
  EXPECT_TRUE(page.has("ln V: " + text_of_number(std::log(8449.0)) + " for"));
  EXPECT_TRUE(page.has("that is " + text_of_number(loss / std::log(2.0) / 4) + "."));
}

}  // namespace
}  // namespace andrea
