#include "number.h"
#include "resize.h"

int main() {
  char* grown = resize_buffer(reinterpret_cast<char*>(make_number()), 80);
  FORGET(grown);
}
