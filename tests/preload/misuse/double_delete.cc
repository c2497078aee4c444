#include "number.h"

namespace {

STEP void release_number_again(long* number) {
  FORGET(number);
  delete number;
}

}  // namespace

int main() {
  long* number = make_number();
  release_number(number);
  release_number_again(number);
}
