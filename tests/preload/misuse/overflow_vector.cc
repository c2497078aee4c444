#include <vector>

#include "misuse.h"

namespace {

STEP std::vector<int> make_numbers(size_t count) { return std::vector<int>(count); }

STEP void write_behind(std::vector<int>& numbers) {
  scribble(reinterpret_cast<char*>(numbers.data()), 20, 23);
}

STEP void use_numbers() {
  std::vector<int> numbers = make_numbers(5);
  write_behind(numbers);
}

}  // namespace

int main() { use_numbers(); }
