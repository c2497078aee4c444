"""Whole-program tests: programs compiled as anybody would, and a test of each for every profile's library."""

load("@rules_cc//cc:defs.bzl", "cc_binary")
load("//src:profiles.bzl", "PROFILES", "gabion_cc_library", "gabion_cc_test")

# The programs stand for those of other people: optimised, without frame pointers, with debug information.
_PROGRAM_COPTS = [
    "-Wall",
    "-Wextra",
    "-Werror",
    "-g",
    "-O1",
    "-fomit-frame-pointer",
    # A call in tail position would leave no frame to assert.
    "-fno-optimize-sibling-calls",
    # The compiler may not drop a block, or a write into one, because it knows malloc, free and memset.
    "-fno-builtin",
    "-U_FORTIFY_SOURCE",
]

# Programs and libraries that are instrumented by a sanitizer have an allocator of their own.
_NOT_SANITIZED = select({
    "//src:sanitized": ["//tests/preload:no_sanitizer"],
    "//conditions:default": [],
})

def preload_programs(srcs, hdrs = [], deps = []):
    """A program, or for lib*.c a shared library, of each source file; the list of the programs' labels.

    Args:
      srcs: their sources, C or C++.
      hdrs: headers beside them.
      deps: headers from elsewhere.

    Returns:
      The labels of the programs, without the libraries.
    """
    programs = []
    for src in srcs:
        name, extension = src.rsplit(".", 1)
        shared = name.startswith("lib")
        language = ["-std=gnu17", "-D_GNU_SOURCE"] if extension == "c" else ["-std=c++20"]
        cc_binary(
            name = name + ".so" if shared else name,
            srcs = [src] + hdrs,
            copts = _PROGRAM_COPTS + language,
            linkopts = [
                "-Wl,--as-needed",
                "-pthread",
                "-ldl",
            ],
            linkshared = shared,
            target_compatible_with = _NOT_SANITIZED,
            deps = deps,
        )
        if not shared:
            programs.append(":" + name)
    return programs

def preload_test(name, srcs, deps = [], hdrs = [], data = [], programs = [], tags = [], **kwargs):
    """`name`_fast, `name`_hardened, `name`_debug: one driver, run for each profile's library.

    Args:
      name: its name.
      srcs: the driver's sources.
      deps: what they use.
      hdrs: their headers.
      data: what else is read.
      programs: what the driver runs; it finds their paths in GABION_TEST_PROGRAMS.
      tags: more tags; `preload` is added.
      **kwargs: as for cc_test.
    """
    gabion_cc_library(
        name = name + "_driver",
        testonly = True,
        srcs = srcs,
        hdrs = hdrs,
        alwayslink = True,
        runtime = False,
        deps = deps + [
            "//tests/support",
            "@googletest//:gtest",
        ],
    )
    for profile, settings in PROFILES.items():
        gabion_cc_test(
            name = name + "_" + profile,
            data = data + programs + [
                "//:gabion",
                "//:libs",
            ],
            env = {
                "GABION_TEST_LIBRARY": settings["library"],
                "GABION_TEST_PROFILE": profile,
                "GABION_TEST_PROGRAMS": " ".join(["$(rootpath %s)" % program for program in programs]),
            },
            tags = tags + ["preload"],
            target_compatible_with = _NOT_SANITIZED,
            deps = [":%s_driver" % name],
            **kwargs
        )
