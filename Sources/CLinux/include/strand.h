// A stack of its own for something that stops in the middle. Swift cannot call `makecontext`, which takes
// what it hands on as `...`.
#pragma once
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#pragma clang assume_nonnull begin

// A sanitizer, where there is one, has to be told who runs on which stack.
extern void *_Nullable __tsan_create_fiber(unsigned int flags) __attribute__((weak));
extern void *_Nullable __tsan_get_current_fiber(void) __attribute__((weak));
extern void __tsan_destroy_fiber(void *_Nullable fiber) __attribute__((weak));
extern void __tsan_switch_to_fiber(void *_Nullable fiber, unsigned int flags) __attribute__((weak));

struct linux_strand {
    ucontext_t context;
    void *_Nullable stack;
    void *_Nullable fiber;
    void (*_Nullable body)(void *_Nullable);
    void *_Nullable argument;
    struct linux_strand *_Nullable next;
};

// Beneath it lies a page that nobody may touch: a body that goes too deep ends the process, and does no
// other harm.
static const size_t linux_strand_room = 8 << 20, linux_strand_guard = 4096;

// The caller's own stack, or a new one; `NULL` without the memory for it.
static inline struct linux_strand *_Nullable linux_strand_create(int has_stack) {
    struct linux_strand *strand = calloc(1, sizeof *strand);
    if (!strand || !has_stack) return strand;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
    strand->stack = mmap(NULL, linux_strand_room, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (strand->stack == MAP_FAILED || mprotect(strand->stack, linux_strand_guard, PROT_NONE) != 0) {
        free(strand);
        return NULL;
    }
    if (__tsan_create_fiber) strand->fiber = __tsan_create_fiber(0);
    return strand;
}

static inline void linux_strand_destroy(struct linux_strand *strand) {
    if (strand->stack) {
        munmap(strand->stack, linux_strand_room);
        if (strand->fiber && __tsan_destroy_fiber) __tsan_destroy_fiber(strand->fiber);
    }
    free(strand);
}

// `to` goes on where it stopped; returns once somebody switches back to `from`.
static inline void linux_strand_switch(struct linux_strand *from, struct linux_strand *to) {
    if (!from->stack && __tsan_get_current_fiber) from->fiber = __tsan_get_current_fiber();
    if (to->fiber && __tsan_switch_to_fiber) __tsan_switch_to_fiber(to->fiber, 0);
    swapcontext(&from->context, &to->context);
}

static inline void linux_strand_run(unsigned int high, unsigned int low) {
    struct linux_strand *strand = (struct linux_strand *)(uintptr_t)((uint64_t)high << 32 | low);
    strand->body(strand->argument);
    linux_strand_switch(strand, strand->next);
}

// Runs `body` once somebody switches to `strand`, and `next` after it.
static inline void linux_strand_begin(
    struct linux_strand *strand, struct linux_strand *next,
    void (*body)(void *_Nullable), void *_Nullable argument
) {
    strand->body = body;
    strand->argument = argument;
    strand->next = next;
    getcontext(&strand->context);
    strand->context.uc_stack.ss_sp = strand->stack;
    strand->context.uc_stack.ss_size = linux_strand_room;
    const uint64_t address = (uint64_t)(uintptr_t)strand;
    makecontext(
        &strand->context, (void (*)(void))linux_strand_run, 2,
        (unsigned int)(address >> 32), (unsigned int)address
    );
}

#pragma clang assume_nonnull end
