// What a lane needs: a bell that one thread rings and another waits for, and the time.
#pragma once
#define _GNU_SOURCE
#include <malloc.h>
#include <poll.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static inline int linux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
static inline void linux_ring(int bell) {
    uint64_t one = 1;
    (void)!write(bell, &one, sizeof one);
}

// Waits until `bell` was rung, `alarm` (or -1) went off, `other` (or -1) can be read, or the time is over;
// below zero: for ever.
// Silences bell and alarm. poll(2) counts in milliseconds only, which would cost a change its latency.
static inline void linux_wait(int bell, int alarm, int other, int64_t nanoseconds) {
    struct pollfd all[3] = {
        {.fd = bell, .events = POLLIN}, {.fd = alarm, .events = POLLIN}, {.fd = other, .events = POLLIN}};
    struct timespec left = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    (void)syscall(SYS_ppoll, all, 3, nanoseconds < 0 ? NULL : &left, NULL, 8);
    uint64_t count;
    if (all[0].revents) (void)!read(bell, &count, sizeof count);
    if (all[1].revents) (void)!read(alarm, &count, sizeof count);
}

// An alarm on the wall clock, for `linux_set_alarm`.
static inline int linux_alarm(void) { return timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

// Goes off at that time, in milliseconds since 1970, and whenever the clock is set before; 0: not at all.
static inline void linux_set_alarm(int alarm, int64_t milliseconds) {
    struct itimerspec at = {
        .it_value = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000}};
    timerfd_settime(alarm, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &at, NULL);
}

// Nanoseconds of `clock`.
static inline int64_t linux_time(int clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}
static inline int64_t linux_uptime(void) { return linux_time(CLOCK_MONOTONIC); }
static inline int64_t linux_wall_time(void) { return linux_time(CLOCK_REALTIME); }

// Blocks of more than 128 kB go back to the kernel when they are freed. Left to itself, glibc raises that
// bound with each large block that is freed, up to 32 MB, and then keeps what a growing table leaves behind:
// nearly half of what each document costs an agent.
static inline void linux_give_memory_back(void) {
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    mallopt(M_TRIM_THRESHOLD, 64 << 10);
}
