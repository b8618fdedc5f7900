#define _GNU_SOURCE
#include "supervisor.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>

// All of this runs between `fork` and `execve`, so nothing here allocates or takes a lock.

static const int look_ms = 10;
// What cannot be ended, such as a program of another user, is left after this time.
static const int patience_ms = 5000;

static char *write_number(char *end, int number) {
    do *--end = (char)('0' + number % 10); while ((number /= 10) > 0);
    return end;
}

// Opens the list of the processes that `process` has started, or below zero.
static int open_children(int process) {
    char digits[12], path[64] = "/proc/", *end = digits + sizeof digits;
    const char *number = write_number(end, process);
    char *place = path + 6;
    for (const char *c = number; c < end; c++) *place++ = *c;
    for (const char *c = "/task/"; *c; c++) *place++ = *c;
    for (const char *c = number; c < end; c++) *place++ = *c;
    for (const char *c = "/children"; *c; c++) *place++ = *c;
    *place = 0;
    return open(path, O_RDONLY | O_CLOEXEC);
}

// Calls `visit` for each; returns how many there are, or stops after `most`.
static int each_child(int process, int most, int (*visit)(int child, int most)) {
    const int list = open_children(process);
    if (list < 0) return 0;
    char bytes[1024];
    int count = 0, number = 0;
    ssize_t size;
    while (count < most && (size = read(list, bytes, sizeof bytes)) > 0)
        for (ssize_t i = 0; i < size && count < most; i++) {
            if (bytes[i] >= '0' && bytes[i] <= '9') {
                number = number * 10 + bytes[i] - '0';
            } else if (number > 0) {
                count += visit(number, most - count);
                number = 0;
            }
        }
    close(list);
    return count;
}

static int count_all(int process, int most) {
    // A chain of processes is as long as they are many.
    return most <= 1 ? 1 : 1 + each_child(process, most - 1, count_all);
}

static int end_one(int process, int most) {
    (void)most;
    kill(process, SIGKILL);
    return 0;
}

static void end_all(int group) {
    for (int waited = 0; waited < patience_ms; waited++) {
        kill(-group, SIGKILL);
        // What these have started falls to this process, and is met in the next round.
        each_child(getpid(), 1 << 20, end_one);
        int ended;
        while ((ended = waitpid(-1, NULL, WNOHANG)) > 0) {}
        if (ended < 0 && errno == ECHILD) return;
        poll(NULL, 0, 1);
    }
}

static void tell(const struct linux_supervised_program *program, int what, int value) {
    const struct linux_supervised_end end = {.what = what, .value = value};
    (void)!write(program->report, &end, sizeof end);
}

// Handlers and masks of the process that was copied mean nothing here.
static void reset_signals(void) {
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void run(const struct linux_supervised_program *program) {
    setpgid(0, 0);
    // Copies beside 0, 1 and 2, so that none of them is overwritten before it is used.
    const int input = fcntl(program->input, F_DUPFD, 3), output = fcntl(program->output, F_DUPFD, 3);
    if (input < 0 || output < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0) {
        tell(program, 1, errno);
        _exit(127);
    }
    syscall(436 /* close_range */, 3, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */);
    if (chdir("/") == 0) execve(program->path, program->arguments, program->environment);
    tell(program, 1, errno);
    _exit(127);
}

// Locks and sockets of the process that was copied must not live on in this one.
static void close_others(const struct linux_supervised_program *program) {
    const int needed[] = {program->input, program->output, program->life, program->report};
    unsigned int from = 3;
    while (1) {
        unsigned int next = ~0U;
        for (int i = 0; i < 4; i++)
            if (needed[i] >= 0 && (unsigned int)needed[i] >= from && (unsigned int)needed[i] < next)
                next = (unsigned int)needed[i];
        if (next != from) syscall(436, from, next == ~0U ? ~0U : next - 1, 0);
        if (next == ~0U) return;
        from = next + 1;
    }
}

static void supervise(const struct linux_supervised_program *program, int guard) {
    setpgid(0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    const int main = fork();
    if (main == 0) run(program);
    if (main < 0) {
        tell(program, 1, errno);
        _exit(0);
    }
    // The reader of the output sees its end once no process of the program has it open.
    close(program->input);
    close(program->output);
    while (1) {
        int ended, status, has_ended = 0;
        while ((ended = waitpid(-1, &status, WNOHANG)) > 0)
            if (ended == main) {
                tell(program, 0, status);
                has_ended = 1;
            }
        if (has_ended) break;
        if (each_child(getpid(), program->most + 1, count_all) > program->most) {
            tell(program, 2, program->most);
            break;
        }
        struct pollfd life = {.fd = program->life, .events = POLLIN};
        if (poll(&life, 1, look_ms) > 0) break;
        if (getppid() != guard) {
            tell(program, 0, SIGKILL);
            break;
        }
    }
    end_all(main);
    _exit(0);
}

// Somebody may kill the supervisor, and what the program has started would live on: it falls to the guard,
// which ends it. The supervisor does the same when the guard is gone.
static void guard(const struct linux_supervised_program *program) {
    close_others(program);
    reset_signals();
    setpgid(0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    const int self = getpid(), supervisor = fork();
    if (supervisor == 0) supervise(program, self);
    if (supervisor < 0) {
        tell(program, 1, errno);
        _exit(0);
    }
    close(program->input);
    close(program->output);
    close(program->life);
    int ended, status;
    do ended = waitpid(-1, &status, 0); while (ended != supervisor && (ended > 0 || errno == EINTR));
    if (ended == supervisor && WIFSIGNALED(status)) {
        end_all(supervisor);
        tell(program, 0, status);
    }
    _exit(0);
}

int linux_supervise(const struct linux_supervised_program *program) {
    const int process = fork();
    if (process == 0) guard(program);
    return process < 0 ? -errno : process;
}
