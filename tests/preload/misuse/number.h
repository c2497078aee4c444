// Steps for programs that release a block in another way than it was made.

#ifndef GABION_TESTS_PRELOAD_MISUSE_NUMBER_H_
#define GABION_TESTS_PRELOAD_MISUSE_NUMBER_H_

#include "misuse.h"

STEP long* make_number() {
  long* number = new long(5);
  FORGET(number);
  return number;
}

STEP long* make_numbers(size_t count) {
  long* numbers = new long[count];
  FORGET(numbers);
  return numbers;
}

STEP void release_number(long* number) {
  FORGET(number);
  delete number;
}

STEP void release_numbers(long* numbers) {
  FORGET(numbers);
  delete[] numbers;
}

#endif  // GABION_TESTS_PRELOAD_MISUSE_NUMBER_H_
