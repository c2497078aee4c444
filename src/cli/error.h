// The one exception of the command: a line for the user and the exit status it leads to.
#ifndef GABION_CLI_ERROR_H_
#define GABION_CLI_ERROR_H_

#include <stdexcept>
#include <string>

namespace gabion::cli {

class Error : public std::runtime_error {
 public:
  Error(int status, const std::string& line) : std::runtime_error(line), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

}  // namespace gabion::cli

#endif  // GABION_CLI_ERROR_H_
