#include "number.h"

int main() {
  long local = 1;
  release_number(&local);
}
