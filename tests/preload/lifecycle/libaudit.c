/* The least that a module for LD_AUDIT can be. */
#include <link.h>

unsigned int la_version(unsigned int version);
unsigned int la_version(unsigned int version) { return version; }
