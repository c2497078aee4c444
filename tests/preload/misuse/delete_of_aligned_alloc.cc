#include "number.h"

int main() { release_number(reinterpret_cast<long*>(make_aligned(64, 64))); }
