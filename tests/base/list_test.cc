#include "src/base/list.h"

#include <gtest/gtest.h>

#include <vector>

namespace gabion::base {
namespace {

struct Item {
  int value;
  ListLink<Item> link = {};
  ListLink<Item> other = {};
};
struct ByLink {
  static ListLink<Item>& of(Item& item) { return item.link; }
};
struct ByOther {
  static ListLink<Item>& of(Item& item) { return item.other; }
};
using Items = List<Item, ByLink>;

template <typename AnyList>
std::vector<int> values(const AnyList& list) {
  std::vector<int> result;
  const Item* last = nullptr;
  for (const Item* item = list.front(); item != nullptr; item = AnyList::next(item)) {
    result.push_back(item->value);
    last = item;
  }
  EXPECT_EQ(list.back(), last);
  EXPECT_EQ(list.empty(), result.empty());
  return result;
}

using Values = std::vector<int>;

TEST(List, PushesAtBothEnds) {
  Item a{1}, b{2}, c{3};
  Items list;
  EXPECT_EQ(values(list), Values());
  list.push_back(&b);
  list.push_front(&a);
  list.push_back(&c);
  EXPECT_EQ(values(list), (Values{1, 2, 3}));
}

TEST(List, InsertsBefore) {
  Item a{1}, b{2}, c{3}, d{4};
  Items list;
  list.insert_before(nullptr, &d);
  list.insert_before(&d, &a);
  list.insert_before(&d, &c);
  list.insert_before(&c, &b);
  EXPECT_EQ(values(list), (Values{1, 2, 3, 4}));
  EXPECT_EQ(c.link.previous, &b);
  EXPECT_EQ(d.link.previous, &c);
}

TEST(List, RemovesAnywhere) {
  Item a{1}, b{2}, c{3};
  Items list;
  for (Item* item : {&a, &b, &c}) list.push_back(item);
  list.remove(&b);
  EXPECT_EQ(values(list), (Values{1, 3}));
  EXPECT_EQ(b.link.next, nullptr);
  EXPECT_EQ(b.link.previous, nullptr);
  list.remove(&a);
  EXPECT_EQ(values(list), Values{3});
  list.remove(&c);
  EXPECT_EQ(values(list), Values());
  list.push_front(&b);
  EXPECT_EQ(values(list), Values{2});
}

TEST(List, PopsFromTheFront) {
  Item a{1}, b{2};
  Items list;
  list.push_back(&a);
  list.push_back(&b);
  EXPECT_EQ(list.pop_front(), &a);
  EXPECT_EQ(list.pop_front(), &b);
  EXPECT_EQ(list.pop_front(), nullptr);
  EXPECT_TRUE(list.empty());
}

TEST(List, AnElementMayBeInSeveral) {
  Item a{1}, b{2};
  Items list;
  List<Item, ByOther> reversed;
  for (Item* item : {&a, &b}) {
    list.push_back(item);
    reversed.push_front(item);
  }
  list.remove(&a);
  EXPECT_EQ(values(list), Values{2});
  EXPECT_EQ(values(reversed), (Values{2, 1}));
}

}  // namespace
}  // namespace gabion::base
