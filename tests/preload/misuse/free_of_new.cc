#include "number.h"

int main() { release_buffer(make_number()); }
