// The system calls and constants that Glibc hides from Swift. Headers only.
#pragma once
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/fs.h>
#include <linux/openat2.h>

static inline int linux_renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned int flags) {
    return (int)syscall(SYS_renameat2, from_fd, from, to_fd, to, flags);
}
static const unsigned int linux_rename_noreplace = RENAME_NOREPLACE;
static const unsigned int linux_rename_exchange = RENAME_EXCHANGE;

// Resolves beneath `directory`, through no symbolic link.
static inline int linux_openat2(int directory, const char *path, uint64_t flags, uint64_t mode) {
    struct open_how how = {.flags = flags, .mode = mode, .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
    return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}
