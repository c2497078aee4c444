#include "tests/bench/workloads/workloads.h"

namespace gabion::bench {
namespace {

constexpr Workload kWorkloads[] = {
    {"idle", "a program that does nothing", idle},
    {"realloc_double", "one buffer doubled from 4 bytes to half a GiB", realloc_double},
    {"bulk_fill", "8 threads fill 2 GiB with blocks of 384 to 12288 bytes", bulk_fill},
    {"thread_burst", "128 threads allocate in all size ranges and exit together", thread_burst},
    {"thread_churn", "thousands of short-lived threads, one after the other", thread_churn},
    {"pairs", "malloc and free of one size, and free(NULL)", pairs},
    {"batch_lifo", "1000 blocks of one size, the last freed first", batch_lifo},
    {"batch_fifo", "1000 blocks of one size, the first freed first", batch_fifo},
    {"batch_random", "1000 blocks of one size, freed in random order", batch_random},
    {"lifetimes", "realistic sizes and lifetimes, one thread", lifetimes},
    {"lifetimes_2_threads", "realistic sizes and lifetimes, two threads", lifetimes_2_threads},
    {"lifetimes_100k", "realistic sizes and lifetimes, 100 000 blocks alive", lifetimes_100k},
    {"alternating", "loads that swing around every cache limit", alternating},
    {"server", "threads replace each other's blocks and hand over to new threads", server},
    {"pipe_small", "one producer, one consumer, small blocks", pipe_small},
    {"pipe_mixed", "one producer, one consumer, realistic sizes", pipe_mixed},
    {"funnel_small", "many producers, one consumer, small blocks", funnel_small},
    {"funnel_mixed", "many producers, one consumer, realistic sizes", funnel_mixed},
    {"false_sharing_active", "threads write to small blocks they allocated", false_sharing_active},
    {"false_sharing_passive", "threads write to small blocks after freeing a neighbour's",
     false_sharing_passive},
    {"large_replace", "20 blocks of 64 KiB to 25 MiB, replaced at random", large_replace},
    {"realloc_growth", "many buffers that grow in small steps", realloc_growth},
    {"fragmentation", "fill, free 90 % at random, fill with another size", fragmentation},
};

}  // namespace

std::span<const Workload> all_workloads() { return kWorkloads; }

}  // namespace gabion::bench
