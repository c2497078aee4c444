#include "number.h"

// One element: the size that the sized delete names is right.
int main() { release_number(make_numbers(1)); }
