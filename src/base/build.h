// What the compiler was asked to build, as constants: the one place that looks at its macros.
#ifndef GABION_BASE_BUILD_H_
#define GABION_BASE_BUILD_H_

namespace gabion::base {

#if defined(__has_feature)
#define GABION_HAS_FEATURE(x) __has_feature(x)
#else
#define GABION_HAS_FEATURE(x) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || GABION_HAS_FEATURE(address_sanitizer)
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif

#if defined(__SANITIZE_THREAD__) || GABION_HAS_FEATURE(thread_sanitizer)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif

#if GABION_HAS_FEATURE(memory_sanitizer)
inline constexpr bool kMemorySanitizer = true;
#else
inline constexpr bool kMemorySanitizer = false;
#endif

#undef GABION_HAS_FEATURE

}  // namespace gabion::base

#endif  // GABION_BASE_BUILD_H_
