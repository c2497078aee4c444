#include "number.h"

int main() { release_numbers(reinterpret_cast<long*>(make_buffer(6 * sizeof(long)))); }
