// An intrusive doubly linked list: the element carries its links, so no operation allocates and
// an element unlinks itself in constant time.
#ifndef GABION_BASE_LIST_H_
#define GABION_BASE_LIST_H_

namespace gabion::base {

template <typename T>
struct ListLink {
  T* previous = nullptr;
  T* next = nullptr;
};

// `Link` is a type with a static function that finds the links of an element, of which it may have
// several, also within unions: `static ListLink<T>& of(T&)`.
template <typename T, typename Link>
class List {
 public:
  constexpr List() = default;
  List(const List&) = delete;
  List& operator=(const List&) = delete;

  bool empty() const { return head_ == nullptr; }
  T* front() const { return head_; }
  T* back() const { return tail_; }
  static T* next(const T* element) { return Link::of(*const_cast<T*>(element)).next; }

  void push_front(T* element) {
    ListLink<T>& link = Link::of(*element);
    link.previous = nullptr;
    link.next = head_;
    (head_ != nullptr ? Link::of(*head_).previous : tail_) = element;
    head_ = element;
  }

  void push_back(T* element) {
    ListLink<T>& link = Link::of(*element);
    link.next = nullptr;
    link.previous = tail_;
    (tail_ != nullptr ? Link::of(*tail_).next : head_) = element;
    tail_ = element;
  }

  // `position` nullptr: at the back.
  void insert_before(T* position, T* element) {
    if (position == nullptr) return push_back(element);
    if (position == head_) return push_front(element);
    ListLink<T>& link = Link::of(*element);
    link.next = position;
    link.previous = Link::of(*position).previous;
    Link::of(*link.previous).next = element;
    Link::of(*position).previous = element;
  }

  void remove(T* element) {
    ListLink<T>& link = Link::of(*element);
    (link.previous != nullptr ? Link::of(*link.previous).next : head_) = link.next;
    (link.next != nullptr ? Link::of(*link.next).previous : tail_) = link.previous;
    link = {};
  }

  T* pop_front() {
    T* element = head_;
    if (element != nullptr) remove(element);
    return element;
  }

 private:
  T* head_ = nullptr;
  T* tail_ = nullptr;
};

}  // namespace gabion::base

#endif  // GABION_BASE_LIST_H_
