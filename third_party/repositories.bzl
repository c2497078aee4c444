"""Where all that Gabion does not write itself comes from: Debian's packages. Nothing is downloaded.

Repositories and their targets are named as in the Bazel Central Registry, so that BUILD files read
the same under WORKSPACE and under MODULE.bazel.
"""

def _installed(name, build_file):
    """A library that a Debian package put under /usr."""
    if not native.existing_rule(name):
        native.new_local_repository(
            name = name,
            build_file = "@gabion//third_party:" + build_file,
            path = "/usr",
        )

def gabion_dependencies():
    """What the command, tests and benchmarks need; the libraries need only libunwind's header."""
    _installed("libunwind", "libunwind.BUILD")
    _installed("libdw", "libdw.BUILD")
    _installed("cli11", "cli11.BUILD")
    _installed("fmt", "fmt.BUILD")
    _installed("nlohmann_json", "nlohmann_json.BUILD")
    _installed("googletest", "googletest.BUILD")
    _installed("google_benchmark", "google_benchmark.BUILD")

def gabion_bazel_rules():
    """Replaces the repositories that Bazel would otherwise fetch from the network by itself."""
    native.local_repository(name = "bazel_skylib", path = "/usr/share/bazel/tools/skylib")
    native.local_repository(name = "platforms", path = "/usr/share/bazel/platforms")
    native.local_repository(name = "rules_java", path = "/usr/share/bazel/rules/java")
    native.local_repository(name = "rules_proto", path = "/usr/share/bazel/rules/proto")
    native.local_repository(name = "rules_cc", path = "third_party/rules_cc")
    native.local_repository(name = "remote_coverage_tools", path = "third_party/remote_coverage_tools")
