#include "number.h"

int main() { release_numbers(make_number()); }
