// The directory into which the processes of one run write their reports.
#ifndef GABION_CLI_LOG_DIRECTORY_H_
#define GABION_CLI_LOG_DIRECTORY_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gabion::cli {

// A new directory with a name of its own, removed with all it holds unless released.
class ScratchDirectory {
 public:
  // `parent`/gabion.XXXXXX. Throws Error (125).
  explicit ScratchDirectory(const std::string& parent);
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::string& path() const { return path_; }
  void release() { removed_at_end_ = false; }

  // For names with characters that stand for separators where the name has to go: the path itself,
  // or a symbolic link to it from a directory without them.
  static std::string temporary_parent();

 private:
  std::string path_;
  bool removed_at_end_ = true;
};

// `path`, or a link to it in `scratch` if it contains one of `separators`. The directory is made
// when it is needed.
std::string without_separators(const std::string& path, const char* separators,
                               std::unique_ptr<ScratchDirectory>& scratch);

// A run always writes into a directory of its own, so that several runs may share one --log DIR and
// yet each sees only its own reports. Afterwards the files move up into DIR.
class LogDirectory {
 public:
  // Without `kept`, all is temporary. Creates `kept` if need be. Throws Error (125) when it cannot
  // be made or used.
  explicit LogDirectory(const std::optional<std::string>& kept);

  // Where the runtime has to write: absolute.
  const std::string& path() const { return run_->path(); }
  // The directory that stays, absolute; empty if there is none.
  const std::string& kept() const { return kept_; }

  std::vector<std::string> report_files() const;

  // Ends the run: moves the files of a kept directory to their place and removes what is temporary.
  // `still_used`: processes are left that may report later; a kept directory then stays as it is.
  void finish(bool still_used);

 private:
  std::string kept_;
  std::unique_ptr<ScratchDirectory> run_;
};

// The .jsonl files of a directory, and of unfinished runs in it, by time.
std::vector<std::string> list_report_files(const std::string& directory);

}  // namespace gabion::cli

#endif  // GABION_CLI_LOG_DIRECTORY_H_
