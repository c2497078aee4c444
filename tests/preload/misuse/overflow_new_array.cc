#include "number.h"

int main() {
  long* numbers = make_numbers(15);
  scribble(reinterpret_cast<char*>(numbers), 120, 123);
  release_numbers(numbers);
}
