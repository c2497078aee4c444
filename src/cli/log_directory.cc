#include "src/cli/log_directory.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "src/cli/error.h"
#include "src/cli/exit_status.h"
#include "src/cli/file.h"

namespace gabion::cli {
namespace {

namespace fs = std::filesystem;

constexpr char kRunPrefix[] = "gabion.";

std::string make_absolute_directory(const std::string& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  // An existing one is no error, also if it is a link.
  if (error && !fs::is_directory(directory)) {
    throw Error(kOwnFailure,
                fmt::format("cannot make log directory {}: {}", directory, error.message()));
  }
  const fs::path path = fs::canonical(directory, error);
  if (error || eaccess(path.c_str(), R_OK | W_OK | X_OK) != 0) {
    throw Error(kOwnFailure, fmt::format("cannot use log directory {}: {}", directory,
                                         error ? error.message() : std::strerror(errno)));
  }
  return path.string();
}

// rename, but never over an earlier file: process ids come again.
void move_into(const fs::path& file, const fs::path& directory) {
  const std::string stem = file.stem().string();
  fs::path target = directory / file.filename();
  for (int i = 2; link(file.c_str(), target.c_str()) != 0 && i < 10000; ++i) {
    if (errno != EEXIST) {
      // A file system without hard links.
      if (!fs::exists(target)) fs::rename(file, target);
      return;
    }
    target = directory / fmt::format("{}.{}.jsonl", stem, i);
  }
  unlink(file.c_str());
}

}  // namespace

ScratchDirectory::ScratchDirectory(const std::string& parent)
    : path_(parent + '/' + kRunPrefix + "XXXXXX") {
  if (mkdtemp(path_.data()) == nullptr) {
    throw Error(kOwnFailure,
                fmt::format("cannot make a directory in {}: {}", parent, std::strerror(errno)));
  }
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  if (removed_at_end_) fs::remove_all(path_, ignored);
}

std::string ScratchDirectory::temporary_parent() {
  const char* directory = std::getenv("TMPDIR");
  if (directory != nullptr && directory[0] == '/' && std::strpbrk(directory, ": ") == nullptr &&
      eaccess(directory, W_OK | X_OK) == 0) {
    return directory;
  }
  return "/tmp";
}

std::string without_separators(const std::string& path, const char* separators,
                               std::unique_ptr<ScratchDirectory>& scratch) {
  if (path.find_first_of(separators) == std::string::npos) return path;
  if (scratch == nullptr) {
    scratch = std::make_unique<ScratchDirectory>(ScratchDirectory::temporary_parent());
  }
  std::string name = base_name(path);
  std::replace_if(
      name.begin(), name.end(), [&](char c) { return std::strchr(separators, c) != nullptr; }, '_');
  const std::string link = scratch->path() + '/' + name;
  if (symlink(path.c_str(), link.c_str()) != 0) {
    throw Error(kOwnFailure, fmt::format("cannot make {}: {}", link, std::strerror(errno)));
  }
  return link;
}

LogDirectory::LogDirectory(const std::optional<std::string>& kept) {
  if (kept) kept_ = make_absolute_directory(*kept);
  run_ = std::make_unique<ScratchDirectory>(kept ? kept_ : ScratchDirectory::temporary_parent());
  // Started by root, a process of the tree may have become another user by the time it reports. It
  // may add a file, but see and remove none.
  if (geteuid() == 0) chmod(path().c_str(), S_ISVTX | 0733);
}

std::vector<std::string> LogDirectory::report_files() const { return list_report_files(path()); }

void LogDirectory::finish(bool still_used) {
  if (still_used && !kept_.empty()) {
    run_->release();
    return;
  }
  if (!kept_.empty()) {
    for (const std::string& file : report_files()) move_into(file, kept_);
  }
  run_.reset();
}

std::vector<std::string> list_report_files(const std::string& directory) {
  std::error_code error;
  fs::directory_iterator entries(directory, error);
  if (error) {
    throw Error(kOwnFailure, fmt::format("cannot read {}: {}", directory, error.message()));
  }
  std::vector<std::pair<fs::file_time_type, std::string>> found;
  for (const fs::directory_entry& entry : entries) {
    const fs::path& path = entry.path();
    const bool is_run = path.filename().string().starts_with(kRunPrefix);
    if (entry.symlink_status(error).type() == fs::file_type::directory && is_run) {
      for (const std::string& file : list_report_files(path.string())) {
        found.emplace_back(fs::last_write_time(file, error), file);
      }
    } else if (path.extension() == ".jsonl" && entry.is_regular_file(error) &&
               !entry.is_symlink(error)) {
      found.emplace_back(entry.last_write_time(error), path.string());
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> files;
  for (auto& [time, file] : found) files.push_back(std::move(file));
  return files;
}

}  // namespace gabion::cli
