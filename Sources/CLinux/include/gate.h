// What gating the system calls of another process takes: a seccomp filter whose listener is told of each
// call, and the descriptor of that listener, passed over a socket.
#pragma once
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#pragma clang assume_nonnull begin

#if defined(__x86_64__)
static const uint32_t linux_architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
static const uint32_t linux_architecture = AUDIT_ARCH_AARCH64;
#endif

// Calls that newer architectures do not have.
#ifndef SYS_open
enum {
    SYS_open = -1, SYS_creat = -1, SYS_rename = -1, SYS_renameat = -1, SYS_link = -1, SYS_unlink = -1,
    SYS_symlink = -1, SYS_mkdir = -1, SYS_rmdir = -1, SYS_mknod = -1, SYS_dup2 = -1, SYS_vfork = -1,
    SYS_stat = -1, SYS_lstat = -1, SYS_access = -1,
};
#endif

enum {
    linux_call_open = SYS_open, linux_call_openat = SYS_openat, linux_call_openat2 = SYS_openat2,
    linux_call_creat = SYS_creat, linux_call_rename = SYS_rename, linux_call_renameat = SYS_renameat,
    linux_call_renameat2 = SYS_renameat2, linux_call_link = SYS_link, linux_call_linkat = SYS_linkat,
    linux_call_unlink = SYS_unlink, linux_call_unlinkat = SYS_unlinkat, linux_call_symlink = SYS_symlink,
    linux_call_symlinkat = SYS_symlinkat, linux_call_mkdir = SYS_mkdir, linux_call_mkdirat = SYS_mkdirat,
    linux_call_rmdir = SYS_rmdir, linux_call_mknod = SYS_mknod, linux_call_mknodat = SYS_mknodat,
    linux_call_stat = SYS_stat, linux_call_lstat = SYS_lstat, linux_call_fstatat = SYS_newfstatat,
    linux_call_statx = SYS_statx, linux_call_access = SYS_access, linux_call_faccessat = SYS_faccessat,
    linux_call_faccessat2 = SYS_faccessat2, linux_call_getdents = SYS_getdents64,
    linux_call_truncate = SYS_truncate, linux_call_read = SYS_read, linux_call_pread = SYS_pread64,
    linux_call_readv = SYS_readv, linux_call_preadv = SYS_preadv, linux_call_preadv2 = SYS_preadv2,
    linux_call_write = SYS_write, linux_call_pwrite = SYS_pwrite64, linux_call_writev = SYS_writev,
    linux_call_pwritev = SYS_pwritev, linux_call_pwritev2 = SYS_pwritev2,
    linux_call_ftruncate = SYS_ftruncate, linux_call_fallocate = SYS_fallocate,
    linux_call_fsync = SYS_fsync, linux_call_fdatasync = SYS_fdatasync, linux_call_close = SYS_close,
    linux_call_dup2 = SYS_dup2, linux_call_dup3 = SYS_dup3,
    linux_call_copy_file_range = SYS_copy_file_range, linux_call_sendfile = SYS_sendfile,
    linux_call_splice = SYS_splice, linux_call_ioctl = SYS_ioctl, linux_call_mmap = SYS_mmap,
    linux_call_msync = SYS_msync, linux_call_nanosleep = SYS_nanosleep,
    linux_call_clock_nanosleep = SYS_clock_nanosleep, linux_call_execve = SYS_execve,
    linux_call_execveat = SYS_execveat, linux_call_io_uring_setup = SYS_io_uring_setup,
    linux_call_io_setup = SYS_io_setup,
    linux_call_vfork = SYS_vfork, linux_call_clone = SYS_clone, linux_call_clone3 = SYS_clone3,
};

// Returns the descriptor of the listener, or below zero the error. From then on each call of this thread and
// of what it starts that the filter names waits for an answer. A process that may not install a filter as it
// is gives up what programs with the set-user-ID bit would gain.
static inline int linux_gate_install(const struct sock_filter *filter, unsigned short count) {
    const struct sock_fprog program = {.len = count, .filter = (struct sock_filter *)filter};
    // SECCOMP_FILTER_FLAG_NEW_LISTENER, and SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (5.19 and later): without
    // it a signal would end the wait, and a call such as `open` would return EINTR.
    const unsigned long flags[] = {1UL << 3 | 1UL << 5, 1UL << 3};
    for (int attempt = 0; attempt < 4; attempt++) {
        if (attempt == 2 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -errno;
        const long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags[attempt % 2], &program);
        if (listener >= 0) return (int)listener;
    }
    return -errno;
}

// A call that waits for its answer.
struct linux_gated_call {
    uint64_t id;
    int32_t thread, number;
    uint32_t architecture;
    uint64_t first, second, third, fourth, fifth, sixth;
};

// To be called once `listener` can be read; below zero: there is none any more.
static inline int linux_gate_receive(int listener, struct linux_gated_call *call) {
    // Larger than the kernel's structure, which may grow.
    union {
        struct seccomp_notif one;
        char room[1024];
    } notice;
    memset(&notice, 0, sizeof notice);
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notice) != 0) return -errno;
    const __u64 *arguments = notice.one.data.args;
    *call = (struct linux_gated_call){
        .id = notice.one.id, .thread = (int32_t)notice.one.pid, .number = notice.one.data.nr,
        .architecture = notice.one.data.arch,
        .first = arguments[0], .second = arguments[1], .third = arguments[2],
        .fourth = arguments[3], .fifth = arguments[4], .sixth = arguments[5],
    };
    return 0;
}

// The kernel carries the call out.
static inline int linux_gate_let(int listener, uint64_t id) {
    struct seccomp_notif_resp answer = {.id = id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

// The call returns zero, and is not carried out.
static inline int linux_gate_skip(int listener, uint64_t id) {
    struct seccomp_notif_resp answer = {.id = id};
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

// 1: the call still waits, so what was read of its thread was that thread's.
static inline int linux_gate_is_waiting(int listener, uint64_t id) {
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

// A number, and with it a descriptor unless that is below zero.
static inline int linux_send_descriptor(int socket, int descriptor, int32_t number) {
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct iovec payload = {.iov_base = &number, .iov_len = sizeof number};
    struct msghdr message = {.msg_iov = &payload, .msg_iovlen = 1};
    if (descriptor >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        control.head.cmsg_level = SOL_SOCKET;
        control.head.cmsg_type = SCM_RIGHTS;
        control.head.cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(&control.head), &descriptor, sizeof(int));
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)sizeof number ? 0 : -1;
}

// The descriptor; -1 if none came, and then `number` is what came instead.
static inline int linux_receive_descriptor(int socket, int32_t *number) {
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct iovec payload = {.iov_base = number, .iov_len = sizeof *number};
    struct msghdr message = {
        .msg_iov = &payload, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control,
    };
    if (recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) <= 0) return -1;
    if (message.msg_controllen < CMSG_LEN(sizeof(int)) || control.head.cmsg_type != SCM_RIGHTS) return -1;
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(&control.head), sizeof(int));
    return descriptor;
}

// Up to `size` bytes of another process's memory, fewer at the end of a mapping; below zero: none.
static inline long linux_read_memory(int process, uint64_t address, void *buffer, size_t size) {
    const size_t page = 4096, first = page - (size_t)(address & (page - 1));
    struct iovec to = {.iov_base = buffer, .iov_len = size};
    struct iovec from[2] = {
        {.iov_base = (void *)(uintptr_t)address, .iov_len = first < size ? first : size},
        {.iov_base = (void *)(uintptr_t)(address + first), .iov_len = first < size ? size - first : 0},
    };
    return syscall(SYS_process_vm_readv, process, &to, 1UL, from, first < size ? 2UL : 1UL, 0UL);
}

// poll(2) counts in milliseconds, which is long beside a system call.
static inline int linux_poll(struct pollfd *polled, unsigned long count, int64_t nanoseconds) {
    struct timespec left = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    return (int)syscall(SYS_ppoll, polled, count, &left, NULL, 8UL);
}

// Whose parent has ended becomes a child of this process instead of the first process.
static inline int linux_adopt_orphans(int isAdopting) {
    return prctl(PR_SET_CHILD_SUBREAPER, (unsigned long)isAdopting, 0, 0, 0);
}

/// This process is killed once the thread that started it has ended.
static inline int linux_end_with_parent(void) {
    return prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL, 0, 0, 0);
}

#pragma clang assume_nonnull end
