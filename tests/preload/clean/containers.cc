#include <algorithm>
#include <deque>
#include <forward_list>
#include <iostream>
#include <list>
#include <map>
#include <numeric>
#include <queue>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

int main() {
  std::mt19937 random(42);
  std::map<int, std::string> ordered;
  std::unordered_map<std::string, std::vector<int>> hashed;
  std::list<std::string> list;
  std::deque<long> deque;
  std::multiset<int> set;
  std::priority_queue<int> heap;
  std::forward_list<std::vector<std::string>> nested;
  for (int i = 0; i < 50000; ++i) {
    const int key = static_cast<int>(random() % 5000);
    ordered[key] += static_cast<char>('a' + key % 26);
    hashed[std::to_string(key)].push_back(i);
    if (key % 3 == 0) list.push_back(std::string(static_cast<size_t>(key % 100), '*'));
    if (key % 7 == 0 && !list.empty()) list.pop_front();
    deque.push_front(key);
    if (key % 2 == 0) deque.pop_back();
    set.insert(key);
    if (key % 5 == 0) set.erase(set.begin());
    heap.push(key);
    if (key % 11 == 0) heap.pop();
    if (key % 100 == 0) nested.emplace_front(10, std::to_string(i));
  }
  list.sort();
  size_t letters = 0;
  for (const auto& entry : ordered) letters += entry.second.size();
  size_t numbers = 0;
  for (const auto& entry : hashed) numbers += entry.second.size();
  std::cout << ordered.size() << ' ' << letters << ' ' << hashed.size() << ' ' << numbers << ' '
            << list.size() << ' ' << std::accumulate(deque.begin(), deque.end(), 0L) << ' '
            << set.size() << ' ' << heap.size() << ' ' << heap.top() << ' '
            << std::distance(nested.begin(), nested.end()) << '\n';
}
