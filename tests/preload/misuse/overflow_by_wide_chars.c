/* Room for the characters, counted without the terminator. */
#include <wchar.h>

#include "misuse.h"

STEP void copy_title(wchar_t* to, const wchar_t* title) {
  FORGET(to);
  FORGET(title);
  wcscpy(to, title);
}

int main(void) {
  char* title = make_buffer(5 * sizeof(wchar_t));
  copy_title((wchar_t*)(void*)title, L"wall!");
  release_buffer(title);
  return 0;
}
