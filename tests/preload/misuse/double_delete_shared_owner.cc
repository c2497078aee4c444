/* Two owners that do not know of each other. */
#include <memory>

#include "misuse.h"

namespace {

struct Image {
  char pixels[120];
};

STEP Image* make_image() {
  Image* image = new Image;
  FORGET(image);
  return image;
}

STEP void drop_first(std::shared_ptr<Image> owner) { owner.reset(); }
STEP void drop_second(std::shared_ptr<Image> owner) { owner.reset(); }

}  // namespace

int main() {
  Image* image = make_image();
  drop_first(std::shared_ptr<Image>(image));
  FORGET(image);
  drop_second(std::shared_ptr<Image>(image));
}
