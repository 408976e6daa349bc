// Lab 02: how large are the dot products of random vectors?
//
//   bazel run //lessons/02_dot_product_similarity:lab -- $PWD/spread.svg
//
// Pairs of vectors of random numbers (normal, standard deviation 1) of growing width C: the spread
// of their dot products, and of their cosines. Prints a table and draws it. Before you run it,
// predict what happens to either when the width grows fourfold.

#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr int kPairs = 4000;

// The root of the mean square, over all pairs.
struct Spread {
  int width;
  double dot, cosine;
};

Spread measured(int width, std::mt19937& generator) {
  std::normal_distribution<double> normal;
  double dots = 0, cosines = 0;
  for (int pair = 0; pair < kPairs; ++pair) {
    double dot = 0, a_square = 0, b_square = 0;
    for (int c = 0; c < width; ++c) {
      const double a = normal(generator), b = normal(generator);
      dot += a * b;
      a_square += a * a;
      b_square += b * b;
    }
    dots += dot * dot;
    cosines += dot * dot / (a_square * b_square);
  }
  return {width, std::sqrt(dots / kPairs), std::sqrt(cosines / kPairs)};
}

// Both axes are logarithmic, so that a power of the width is a straight line.
class Drawing {
 public:
  Drawing() {
    svg_ =
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 640 420' role='img'>"
        "<title>Spread of dot products and cosines by width</title>"
        "<style>text{font:14px sans-serif}text,rect{fill:#222}path,circle,rect{stroke:#222}"
        "@media(prefers-color-scheme:dark){text,rect{fill:#eee}path,circle,rect{stroke:#eee}}</"
        "style>";
    for (int width = 1; width <= 1024; width *= 4) {
      text(x_of(width), 400, std::to_string(width), "middle");
    }
    for (const double value : {0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0}) {
      char label[16];
      std::snprintf(label, sizeof label, "%g", value);
      text(50, y_of(value) + 5, label, "end");
      path(60, y_of(value), 620, y_of(value), "stroke-opacity='.2'");
    }
    text(340, 418, "width C", "middle");
  }

  // `below`: how far under its end the line's name stands.
  void line(double from, double to, const std::string& name, double below) {
    path(x_of(1), y_of(from), x_of(1024), y_of(to), "stroke-dasharray='6 4'");
    text(x_of(1024), y_of(to) + below, name, "end");
  }

  void dot(int width, double value) {
    svg_ += "<circle cx='" + std::to_string(x_of(width)) + "' cy='" + std::to_string(y_of(value)) +
            "' r='5' fill='none' stroke-width='2'/>";
  }

  void square(int width, double value) {
    svg_ += "<rect x='" + std::to_string(x_of(width) - 4) + "' y='" +
            std::to_string(y_of(value) - 4) + "' width='8' height='8'/>";
  }

  std::string text() const { return svg_ + "</svg>\n"; }

 private:
  static double x_of(double width) { return 70 + 540 * std::log(width) / std::log(1024.0); }
  static double y_of(double value) {
    return 370 - 350 * std::log(value / 0.02) / std::log(50 / 0.02);
  }

  void text(double x, double y, const std::string& what, const std::string& anchor) {
    svg_ += "<text x='" + std::to_string(x) + "' y='" + std::to_string(y) + "' text-anchor='" +
            anchor + "'>" + what + "</text>";
  }

  void path(double x, double y, double to_x, double to_y, const std::string& style) {
    svg_ += "<path d='M" + std::to_string(x) + " " + std::to_string(y) + "L" +
            std::to_string(to_x) + " " + std::to_string(to_y) + "' " + style + "/>";
  }

  std::string svg_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string file = argc > 1 ? argv[1] : "spread.svg";
  std::mt19937 generator(2);
  Drawing drawing;
  drawing.line(1, 32, "dot products (circles): the square root of C", -10);
  drawing.line(1, 1.0 / 32, "cosines (squares): 1 / the square root of C", 25);
  std::printf("%6s  %12s  %8s  %14s\n", "width", "dot products", "cosines", "dot / sqrt(C)");
  for (int width = 1; width <= 1024; width *= 4) {
    const Spread spread = measured(width, generator);
    std::printf("%6d  %12.3f  %8.4f  %14.3f\n", width, spread.dot, spread.cosine,
                spread.dot / std::sqrt(width));
    drawing.dot(width, spread.dot);
    drawing.square(width, spread.cosine);
  }
  std::ofstream out(file);
  out << drawing.text();
  if (!out.flush()) {
    std::fprintf(stderr, "lab: cannot write '%s'\n", file.c_str());
    return 1;
  }
  std::printf("Drawn: %s\n", file.c_str());
  return 0;
}
