#include <cstddef>
#include <iostream>
#include <list>
#include <map>
#include <memory_resource>
#include <string>
#include <vector>

int main() {
  std::pmr::unsynchronized_pool_resource pool;
  std::pmr::synchronized_pool_resource shared_pool(&pool);
  std::pmr::monotonic_buffer_resource arena(1000, &shared_pool);
  std::pmr::map<int, std::pmr::string> names(&shared_pool);
  std::pmr::vector<std::pmr::string> words(&arena);
  std::pmr::list<std::pmr::vector<int>> lists(&pool);
  for (int i = 0; i < 20000; ++i) {
    names[i % 700].append("name ").append(std::to_string(i));
    if (i % 10 == 0) words.emplace_back(static_cast<size_t>(i % 200), 'w');
    if (i % 100 == 0) lists.emplace_back(static_cast<size_t>(i / 10), i);
    if (i % 300 == 0) names.erase(names.begin());
  }
  size_t letters = 0;
  for (const auto& entry : names) letters += entry.second.size();
  for (const auto& word : words) letters += word.size();
  for (const auto& list : lists) letters += list.size();
  for (size_t alignment = 8; alignment <= 8192; alignment *= 2) {
    std::pmr::memory_resource* direct = std::pmr::new_delete_resource();
    void* block = direct->allocate(alignment * 3, alignment);
    if (reinterpret_cast<std::uintptr_t>(block) % alignment != 0) return 1;
    direct->deallocate(block, alignment * 3, alignment);
  }
  std::cout << letters << '\n';
}
