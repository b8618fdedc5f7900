// Permission events: the kernel asks before a file is opened, and hands over a descriptor of that file, whose
// use raises no event.
#pragma once
#include <fcntl.h>
#include <stdint.h>
#include <sys/fanotify.h>
#include <sys/syscall.h>
#include <unistd.h>

// A mount of the directory at `path` that only this descriptor reaches (5.2 and later; CAP_SYS_ADMIN).
static inline int linux_private_mount(const char *_Nonnull path) {
    const unsigned int clone = 1 /* OPEN_TREE_CLONE */ | O_CLOEXEC;
    return (int)syscall(428 /* open_tree */, AT_FDCWD, path, clone);
}

// The events' descriptors are open to read, leave the access time alone (O_NOATIME) and wait for nothing.
// CAP_SYS_ADMIN.
static inline int linux_permission_group(void) {
    return fanotify_init(FAN_CLASS_CONTENT | FAN_CLOEXEC, O_RDONLY | O_CLOEXEC | O_NONBLOCK | 01000000);
}

// From now on, whoever opens a file or a directory through this mount waits for an answer.
static inline int linux_ask_permission(int group, int mount) {
    return fanotify_mark(group, FAN_MARK_ADD | FAN_MARK_MOUNT, FAN_OPEN_PERM | FAN_ONDIR, mount, ".");
}

// The descriptor of the next event; below zero after a failure. Waits. `process` is who opens.
static inline int linux_next_permission(int group, int32_t *_Nonnull process) {
    struct fanotify_event_metadata event;
    if (read(group, &event, sizeof event) != (ssize_t)sizeof event) return -1;
    *process = event.pid;
    return event.fd;
}

// Where it is denied, the opening fails with EPERM.
static inline void linux_answer_permission(int group, int file, int is_allowed) {
    struct fanotify_response answer = {.fd = file, .response = is_allowed ? FAN_ALLOW : FAN_DENY};
    (void)!write(group, &answer, sizeof answer);
}
