// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include "CWatchShim.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static int descriptor = -1;

int watch_descriptor(void) { return descriptor; }

// libinotifytools calls these two through the dynamic symbol table, so it gets ours.
// Its own instance would block, be inherited by every child, and be out of our reach.
int inotify_init(void) {
    descriptor = (int)syscall(SYS_inotify_init1, IN_NONBLOCK | IN_CLOEXEC);
    return descriptor;
}

// The kernel has already removed the watch of a deleted directory. The library takes that for an error and
// then keeps its own entry for ever.
int inotify_rm_watch(int fd, int wd) {
    int result = (int)syscall(SYS_inotify_rm_watch, fd, wd);
    return result < 0 && errno == EINVAL ? 0 : result;
}

int watch_open_beneath(int directory, const char *path) {
    struct open_how how = {
        .flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS,
    };
    return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

int watch_open_root(const char *path) { return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC); }

const char *watch_entry_name(const struct dirent *entry) { return entry->d_name; }

const char *watch_event_name(const struct inotify_event *event) { return event->len > 0 ? event->name : ""; }

static void end_quietly(int signal) {
    (void)signal;
    _exit(0);
}

void watch_set_up_process(void) {
    syscall(SYS_close_range, 3U, ~0U, 0U);
    signal(SIGINT, end_quietly);
    signal(SIGTERM, end_quietly);
    signal(SIGPIPE, SIG_IGN);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}
