#include "number.h"

namespace {

STEP void release_numbers_again(long* numbers) {
  FORGET(numbers);
  delete[] numbers;
}

}  // namespace

int main() {
  long* numbers = make_numbers(9);
  release_numbers(numbers);
  release_numbers_again(numbers);
}
