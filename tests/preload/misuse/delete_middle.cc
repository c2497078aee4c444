/* Deleting the second base of an object without a virtual destructor. */
#include "misuse.h"

namespace {

struct Name {
  long letters[4];
};

struct Price {
  long cents[2];
};

struct Item : Name, Price {};

STEP Item* make_item() {
  Item* item = new Item;
  FORGET(item);
  return item;
}

STEP void release_price(Price* price) {
  FORGET(price);
  delete price;
}

}  // namespace

int main() { release_price(make_item()); }
