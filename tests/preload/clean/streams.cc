#include <fstream>
#include <iomanip>
#include <iostream>
#include <locale>
#include <sstream>
#include <string>

int main() {
  std::ostringstream text;
  for (int i = 0; i < 20000; ++i) {
    text << std::setw(8) << i << ' ' << std::hex << i << std::dec << ' ' << i * 0.5 << '\n';
  }
  std::istringstream input(text.str());
  std::string decimal, hexadecimal;
  double half = 0;
  double sum = 0;
  size_t lines = 0;
  while (input >> decimal >> hexadecimal >> half) {
    sum += half;
    ++lines;
  }
  std::wostringstream wide;
  wide << L"wide " << 42 << L' ' << std::setprecision(3) << 2.0 / 3;
  std::ifstream missing("/nonexistent");
  std::ifstream self("/proc/self/exe", std::ios::binary);
  std::string magic(4, '\0');
  self.read(magic.data(), 4);
  const std::locale classic(std::locale::classic(), new std::ctype<char>);
  text.imbue(classic);
  std::cout << lines << ' ' << std::fixed << sum << ' ' << wide.str().size() << ' '
            << missing.is_open() << ' ' << magic.substr(1) << std::endl;
}
