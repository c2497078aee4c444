// Exceptions are allocated by the C++ runtime; here they pass frames and threads in numbers.
#include <exception>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

void descend(int depth) {
  const std::string local(static_cast<size_t>(depth) * 10, 'x');
  if (depth == 0) throw std::runtime_error("bottom");
  try {
    descend(depth - 1);
  } catch (const std::exception&) {
    std::throw_with_nested(std::runtime_error("level " + std::to_string(depth)));
  }
}

int nesting(const std::exception& error) {
  try {
    std::rethrow_if_nested(error);
  } catch (const std::exception& inner) {
    return 1 + nesting(inner);
  }
  return 1;
}

}  // namespace

int main() {
  int caught = 0;
  for (int i = 0; i < 200; ++i) {
    try {
      descend(i % 20);
    } catch (const std::exception& error) {
      caught += nesting(error);
    }
  }
  std::cout << caught << '\n';

  std::vector<std::exception_ptr> errors(4);
  std::vector<std::thread> threads;
  for (std::exception_ptr& error : errors) {
    threads.emplace_back([&error] {
      try {
        throw std::out_of_range("from a thread");
      } catch (...) {
        error = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors) {
    try {
      std::rethrow_exception(error);
    } catch (const std::out_of_range& out_of_range) {
      std::cout << out_of_range.what() << '\n';
    }
  }

  try {
    volatile size_t too_much = static_cast<size_t>(-1) / 2;
    std::vector<char> never(too_much);
  } catch (const std::bad_alloc&) {
    std::cout << "bad_alloc\n";
  } catch (const std::length_error&) {
    std::cout << "length_error\n";
  }
}
