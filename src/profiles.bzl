"""The one table of profiles, and the macros that turn it into libraries, tests and fuzz targets.

Rooms that do not depend on the profile use `gabion_cc_library`. Those that do use
`profile_cc_library(name = "x")`, which declares x_fast, x_hardened and x_debug. In all profile_*
macros `_PROFILE` in deps, data, args, env, malloc and local_defines stands for the suffix of the
target that is being declared: `//src/api:api_PROFILE`.
"""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")

# define: the value of GABION_PROFILE that this profile's code is compiled with.
# library: the file that programs preload; also the name of its target in the top-level package.
# copts: added for code of this profile only.
PROFILES = {
    "fast": {
        "define": "GABION_PROFILE_FAST",
        "library": "libgabion.so",
        "copts": [],
    },
    "hardened": {
        "define": "GABION_PROFILE_HARDENED",
        "library": "libgabion-hardened.so",
        "copts": [],
    },
    "debug": {
        "define": "GABION_PROFILE_DEBUG",
        "library": "libgabion-debug.so",
        # Every call is followed by a backtrace, which walks frame pointers: ours are its first
        # hops.
        "copts": ["-fno-omit-frame-pointer"],
    },
}

# All of our code.
PROJECT_COPTS = [
    "-std=c++20",
    "-Wall",
    "-Wextra",
    "-Wconversion",
    "-Werror",
]

# Code that ends in a runtime library, and so in somebody else's process.
RUNTIME_COPTS = PROJECT_COPTS + [
    "-fPIC",
    "-fno-exceptions",
    "-fno-plt",
    "-fno-rtti",
    "-fno-threadsafe-statics",
    "-ftls-model=initial-exec",
    "-fvisibility=hidden",
    # A compiler that knows what malloc does may turn our calloc into a call of calloc, or drop a
    # store into a block that is freed next.
    "-fno-builtin-aligned_alloc",
    "-fno-builtin-calloc",
    "-fno-builtin-free",
    "-fno-builtin-malloc",
    "-fno-builtin-memalign",
    "-fno-builtin-posix_memalign",
    "-fno-builtin-realloc",
    # Fortified headers define functions which the api room defines too.
    "-U_FORTIFY_SOURCE",
] + select({
    "//src:unoptimized": [],
    "//conditions:default": ["-O2"],
}) + select({
    # Bazel's default is to keep frame pointers.
    "//src:sanitized": [],
    "//src:unoptimized": [],
    "//conditions:default": ["-fomit-frame-pointer"],
})

_LIBRARY_LINKOPTS = [
    "-Wl,-z,defs",
    "-Wl,-z,initfirst",
    "-Wl,-z,nodelete",
    "-Wl,-z,now",
    "-Wl,-z,relro",
    # Bazel adds -lstdc++ and -lm to every link: this drops what nothing refers to.
    "-Wl,--as-needed",
    "-Wl,-O1",
    "-Wl,--hash-style=gnu",
]

def _suffixed(value, suffix):
    """Replaces _PROFILE in a string, or in a list's or dict's; leaves anything else alone."""
    if type(value) == "string":
        return value.replace("_PROFILE", suffix)
    if type(value) == "list":
        return [_suffixed_string(item, suffix) for item in value]
    if type(value) == "dict":
        return {key: _suffixed_string(item, suffix) for key, item in value.items()}
    return value

def _suffixed_string(value, suffix):
    # Starlark has no recursion; nested lists do not occur in attributes.
    return value.replace("_PROFILE", suffix) if type(value) == "string" else value

def _suffixed_attributes(attributes, suffix):
    # Not `srcs`: a source file is the same for all profiles.
    expanded = ["args", "data", "deps", "env", "local_defines", "malloc"]
    return {
        key: _suffixed(value, suffix) if key in expanded else value
        for key, value in attributes.items()
    }

def _profile_define(profile):
    # The values are constants of the header that reads the macro: only their names matter here.
    return "GABION_PROFILE=" + PROFILES[profile]["define"]

def gabion_cc_library(name, copts = [], runtime = True, **kwargs):
    """A library compiled once, with the project's warnings.

    Args:
      name: its name.
      copts: more compiler flags.
      runtime: part of the runtime libraries: no exceptions, no RTTI, initial-exec TLS...
      **kwargs: as for cc_library.
    """
    cc_library(
        name = name,
        copts = (RUNTIME_COPTS if runtime else PROJECT_COPTS) + copts,
        linkstatic = kwargs.pop("linkstatic", True),
        **kwargs
    )

def profile_cc_library(name, copts = [], local_defines = [], **kwargs):
    """`name`_fast, `name`_hardened, `name`_debug: the same sources compiled for each profile."""
    for profile, settings in PROFILES.items():
        suffix = "_" + profile
        gabion_cc_library(
            name = name + suffix,
            copts = copts + settings["copts"],
            local_defines = _suffixed(local_defines, suffix) + [_profile_define(profile)],
            **_suffixed_attributes(kwargs, suffix)
        )

def gabion_cc_binary(name, copts = [], **kwargs):
    """An ordinary program of the project (the command, a helper of a test)."""
    cc_binary(
        name = name,
        copts = PROJECT_COPTS + copts,
        **kwargs
    )

def profile_cc_binary(name, copts = [], local_defines = [], **kwargs):
    """`name`_fast, `name`_hardened, `name`_debug: one program for each profile."""
    for profile, settings in PROFILES.items():
        suffix = "_" + profile
        gabion_cc_binary(
            name = name + suffix,
            copts = copts + settings["copts"],
            local_defines = _suffixed(local_defines, suffix) + [_profile_define(profile)],
            **_suffixed_attributes(kwargs, suffix)
        )

def gabion_cc_test(name, copts = [], deps = [], gtest = True, **kwargs):
    """A test: GoogleTest with its main, unless gtest = False."""
    cc_test(
        name = name,
        copts = PROJECT_COPTS + copts,
        deps = deps + (["@googletest//:gtest_main"] if gtest else []),
        linkstatic = kwargs.pop("linkstatic", True),
        **kwargs
    )

def profile_cc_test(name, copts = [], local_defines = [], **kwargs):
    """`name`_fast, `name`_hardened, `name`_debug: the same test for each profile."""
    for profile, settings in PROFILES.items():
        suffix = "_" + profile
        gabion_cc_test(
            name = name + suffix,
            copts = copts + settings["copts"],
            local_defines = _suffixed(local_defines, suffix) + [_profile_define(profile)],
            **_suffixed_attributes(kwargs, suffix)
        )

def room_tests(deps, profiles = False, data = [], **kwargs):
    """One test for each *_test.cc beside the BUILD file.

    Headers and other .cc files beside it are shared by all. *_stress_test.cc gets the tag `stress`,
    size `large` and two cores to itself; the rest is `small`.

    Args:
      deps: what the tests use; in per-profile rooms with _PROFILE.
      profiles: whether each test exists once a profile.
      data: files that the tests read.
      **kwargs: for all of the tests.
    """
    tests = native.glob(["*_test.cc"], allow_empty = True)
    shared = native.glob(["*.h", "*.cc"], exclude = ["*_test.cc"], allow_empty = True)
    declare = profile_cc_test if profiles else gabion_cc_test
    tags = kwargs.pop("tags", [])
    size = kwargs.pop("size", "small")
    for file in tests:
        stress = file.endswith("_stress_test.cc")
        declare(
            name = file[:-len(".cc")],
            size = "large" if stress else size,
            srcs = [file] + shared,
            data = data,
            tags = tags + (["stress", "cpu:2"] if stress else []),
            deps = deps,
            **kwargs
        )

def gabion_fuzz_test(name, srcs, corpus = [], deps = [], data = [], tags = [], **kwargs):
    """A fuzz target. As a test it replays its corpus; --config=fuzz makes it a libFuzzer program.

    Args:
      name: its name.
      srcs: files with LLVMFuzzerTestOneInput.
      corpus: the corpus' files (a glob); they are its arguments.
      deps: what it fuzzes.
      data: other files that it reads.
      tags: tags of the test; `fuzz` is added.
      **kwargs: as for cc_test.
    """
    gabion_cc_test(
        name = name,
        srcs = srcs,
        args = ["$(location %s)" % file for file in corpus],
        data = data + corpus,
        gtest = False,
        linkopts = select({
            "//src:fuzzed": ["-fsanitize=fuzzer"],
            "//conditions:default": [],
        }),
        tags = tags + ["fuzz"],
        deps = deps + select({
            "//src:fuzzed": [],
            "//conditions:default": ["//fuzz:replay_main"],
        }),
        **kwargs
    )

def profile_fuzz_test(name, deps = [], copts = [], local_defines = [], **kwargs):
    """`name`_fast, `name`_hardened, `name`_debug: one fuzz target for each profile."""
    for profile, settings in PROFILES.items():
        suffix = "_" + profile
        gabion_fuzz_test(
            name = name + suffix,
            copts = copts + settings["copts"],
            local_defines = _suffixed(local_defines, suffix) + [_profile_define(profile)],
            deps = _suffixed(deps, suffix),
            **kwargs
        )

def gabion_libraries(api, static_api, exports):
    """For each profile the shared library, and a cc_library named like the profile.

    The cc_library links the allocator into a program: deps, `malloc = "@gabion//:debug"`,
    `bazel test --custom_malloc=@gabion//:debug`. `:libs` stands for all shared libraries.

    Args:
      api: the api room's library, with _PROFILE.
      static_api: the same as it is linked into a program.
      exports: the linker script that names the exported symbols.
    """
    for profile, settings in PROFILES.items():
        library = settings["library"]
        cc_binary(
            name = library,
            additional_linker_inputs = [exports],
            linkopts = _LIBRARY_LINKOPTS + [
                "-Wl,-soname," + library,
                "-Wl,--version-script=$(location %s)" % exports,
            ],
            linkshared = True,
            linkstatic = True,
            malloc = "@bazel_tools//tools/cpp:malloc",
            visibility = ["//visibility:public"],
            deps = [api.replace("_PROFILE", "_" + profile)],
        )
        cc_library(
            name = profile,
            visibility = ["//visibility:public"],
            deps = [
                static_api.replace("_PROFILE", "_" + profile),
                "//include:gabion_headers",
            ],
        )
    native.filegroup(
        name = "libs",
        srcs = [settings["library"] for settings in PROFILES.values()],
        visibility = ["//visibility:public"],
    )
