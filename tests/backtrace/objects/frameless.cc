// Functions whose frames are left by unwind tables only.

#define KEEP_FRAME() asm volatile("" ::: "memory")

extern "C" __attribute__((visibility("default"), noinline)) int frameless_recurse(int depth,
                                                                                  void (*leaf)()) {
  volatile int local = depth;
  if (depth == 0) {
    leaf();
  } else {
    local = local + frameless_recurse(depth - 1, leaf);
  }
  KEEP_FRAME();
  return local;
}

// Uses all registers that a function may keep values in, so the frame pointer's among them.
extern "C" __attribute__((visibility("default"), noinline)) long frameless_busy(const long* values,
                                                                                void (*leaf)()) {
  long a = values[0], b = values[1], c = values[2], d = values[3], e = values[4], f = values[5];
  for (int i = 0; i < 2; ++i) {
    leaf();
    asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f)::"memory");
  }
  return a ^ b ^ c ^ d ^ e ^ f;
}
