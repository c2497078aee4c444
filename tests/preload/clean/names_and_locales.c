/* Parts of libc that allocate behind the program's back, and free only some of it. */
#include <iconv.h>
#include <locale.h>
#include <netdb.h>
#include <pwd.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "tests/preload/check.h"

int main(void) {
  const char* locales[] = {"C", "C.UTF-8", "", "POSIX"};
  for (int i = 0; i < 200; ++i) {
    setlocale(LC_ALL, locales[i % 4]);
    const locale_t own = newlocale(LC_NUMERIC_MASK, "C.UTF-8", NULL);
    if (own != NULL) freelocale(own);
  }
  setlocale(LC_ALL, "C");

  struct addrinfo hints;
  struct addrinfo* found = NULL;
  memset(&hints, 0, sizeof hints);
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  CHECK(getaddrinfo("127.0.0.1", "80", &hints, &found) == 0);
  int addresses = 0;
  for (const struct addrinfo* entry = found; entry != NULL; entry = entry->ai_next) ++addresses;
  freeaddrinfo(found);

  const struct passwd* root = getpwuid(0);
  const iconv_t converter = iconv_open("UTF-16LE", "UTF-8");
  CHECK(converter != (iconv_t)-1);
  char text[] = "gabion";
  char* in = text;
  char wide[64];
  char* out = wide;
  size_t in_left = 6;
  size_t out_left = sizeof wide;
  CHECK(iconv(converter, &in, &in_left, &out, &out_left) == 0);
  iconv_close(converter);

  setenv("TZ", "Europe/Vienna", 1);
  tzset();
  printf("%d addresses, %s, %zu bytes\n", addresses, root != NULL ? root->pw_name : "nobody",
         sizeof wide - out_left);
  return 0;
}
