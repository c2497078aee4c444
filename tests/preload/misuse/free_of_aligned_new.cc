#include "aligned_new.h"

int main() { release_buffer(make_aligned_new(192)); }
