#include "number.h"

int main() {
  long* numbers = make_numbers(20);
  scribble(reinterpret_cast<char*>(numbers), -4, -1);
  release_numbers(numbers);
}
