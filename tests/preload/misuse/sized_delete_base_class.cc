/* Deleted through a base class without a virtual destructor: delete is told the size of the base.
 */
#include "misuse.h"

namespace {

struct Shape {
  long id;
};

struct Circle : Shape {
  double x, y, radius;
};

STEP Shape* make_circle() {
  Shape* shape = new Circle{};
  FORGET(shape);
  return shape;
}

STEP void release_shape(Shape* shape) {
  FORGET(shape);
  delete shape;
}

}  // namespace

int main() { release_shape(make_circle()); }
