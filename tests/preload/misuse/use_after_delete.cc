#include "misuse.h"

namespace {

struct Node {
  Node* next;
  long value;
};

STEP Node* make_node() {
  Node* node = new Node{nullptr, 7};
  FORGET(node);
  return node;
}

STEP void release_node(Node* node) {
  FORGET(node);
  delete node;
}

}  // namespace

int main() {
  Node* node = make_node();
  release_node(node);
  scribble(reinterpret_cast<char*>(node), 8, 15);
}
