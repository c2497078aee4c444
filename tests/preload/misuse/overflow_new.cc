#include "misuse.h"

namespace {

struct Point {
  int x, y, z;
};

STEP Point* make_point() {
  Point* point = new Point{1, 2, 3};
  FORGET(point);
  return point;
}

STEP void release_point(Point* point) {
  FORGET(point);
  delete point;
}

}  // namespace

int main() {
  Point* point = make_point();
  scribble(reinterpret_cast<char*>(point), 12, 15);
  release_point(point);
}
