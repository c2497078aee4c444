# Prints a large C++ program: templates, containers, virtual functions, `count` of each.
BEGIN {
  print "#include <algorithm>\n#include <cstdio>\n#include <functional>\n#include <map>"
  print "#include <memory>\n#include <regex>\n#include <string>\n#include <variant>\n#include <vector>"
  print "struct Base { virtual ~Base() = default; virtual long run(long x) const = 0; };"
  print "template <int N> struct Chain { static long sum(long x) { return x * N % 1009 + Chain<N - 1>::sum(x); } };"
  print "template <> struct Chain<0> { static long sum(long) { return 0; } };"
  for (i = 1; i <= count; ++i) {
    printf "struct S%d : Base {\n  std::map<int, std::vector<std::string>> m;\n", i
    printf "  S%d() { for (int i = 0; i < %d; ++i) m[i %% 7].push_back(std::to_string(i * %d)); }\n", i, i + 3, i
    printf "  long run(long x) const override {\n    long r = Chain<%d>::sum(x);\n", i % 40 + 1
    printf "    for (const auto& e : m) for (const auto& s : e.second) r += static_cast<long>(s.size()) * e.first;\n"
    printf "    std::variant<int, std::string, double> v = std::string(\"%d\");\n", i
    printf "    std::visit([&](auto&& a) { r += static_cast<long>(sizeof(a)); }, v);\n"
    printf "    std::vector<std::pair<long, S%d*>> p; p.emplace_back(r, nullptr);\n", i
    printf "    std::sort(p.begin(), p.end(), [](const auto& a, const auto& b) { return a.first < b.first; });\n"
    printf "    std::function<long(long)> f = [r](long y) { return y * %d + r; };\n    return f(x);\n  }\n};\n", i
  }
  print "int main() {\n  std::vector<std::unique_ptr<Base>> all;"
  for (i = 1; i <= count; ++i) printf "  all.push_back(std::make_unique<S%d>());\n", i
  print "  long sum = 0;\n  for (const auto& one : all) sum += one->run(sum % 1000 + 1);\n  std::printf(\"%ld\\n\", sum);\n}"
}
