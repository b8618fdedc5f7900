// Running a program so that all that it starts ends with it.
#pragma once
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#pragma clang assume_nonnull begin

// What a supervisor reports: how the program ended, or why it was ended.
struct linux_supervised_end {
    // 0: it ended with this status, as of `waitpid`; 1: it could not be started, for this error number;
    // 2: it had started so many processes.
    int32_t what, value;
};

struct linux_supervised_program {
    const char *path;
    char *_Nullable const *_Nonnull arguments;
    char *_Nullable const *_Nonnull environment;
    // Its standard input; its standard output and errors.
    int input, output;
    // When nothing has the other end open any more, the program is ended.
    int life;
    // Takes one `linux_supervised_end`; none if the program was ended by `life`.
    int report;
    // The most processes that it may have at once.
    int most;
};

// Starts the program beneath a supervisor, a process of its own. All that the program starts falls to the
// supervisor, also what leaves its group or its session, and ends when the program does. The supervisor has a
// guard above it, so that neither of them can be killed and leave something behind. Returns the process ID of
// the guard, or below zero the error.
int linux_supervise(const struct linux_supervised_program *program);

static inline int linux_pipe(int *ends) {
    return (int)syscall(SYS_pipe2, ends, 02000000 /* O_CLOEXEC */);
}

// A file in memory, or below zero.
static inline int linux_memory_file(const char *name) {
    return (int)syscall(SYS_memfd_create, name, 1 /* MFD_CLOEXEC */);
}

// Sends a signal to the very process that a descriptor names, not to a later one with its number.
static inline int linux_pidfd_open(int process) {
    return (int)syscall(434 /* pidfd_open */, process, 0);
}
static inline int linux_pidfd_send_signal(int descriptor, int number) {
    return (int)syscall(424 /* pidfd_send_signal */, descriptor, number, (void *)0, 0);
}

#pragma clang assume_nonnull end
