// The system calls and constants that Glibc hides from Swift.
//
// Without `_GNU_SOURCE`: it changes types such as `fd_set`, and no file could then import both this and
// Dispatch.
#pragma once
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/fsuid.h>
#include <sys/ioctl.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <linux/stat.h>

#pragma clang assume_nonnull begin

static inline int linux_renameat2(
    int from_directory, const char *from, int to_directory, const char *to, unsigned int flags
) {
    return (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, flags);
}
static const unsigned int linux_rename_noreplace = RENAME_NOREPLACE;
static const unsigned int linux_rename_exchange = RENAME_EXCHANGE;

// Only the descriptor, nothing of the file behind it: opening with it has no effect on a FIFO or a device.
static const int linux_o_path = 010000000;

// Resolves beneath `directory`, through no symbolic link.
static inline int linux_openat2(int directory, const char *path, uint64_t flags, uint64_t mode) {
    struct open_how how = {.flags = flags, .mode = mode, .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
    return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

static inline int linux_dup3(int from, int to, int flags) {
    return (int)syscall(SYS_dup3, from, to, flags);
}

// What `statx` says, in plain numbers.
struct linux_status {
    uint64_t device, inode, links, mount;
    int64_t size, allocated, modified, changed, born;
    uint32_t mode, owner, group;
    // The kernel told `mount` (5.8 and later).
    int has_mount;
};

// An empty `path` is `directory` itself, whatever it is.
static inline int linux_status(int directory, const char *path, struct linux_status *status) {
    // AT_EMPTY_PATH, AT_NO_AUTOMOUNT, AT_SYMLINK_NOFOLLOW
    const int flags = 0x1000 | 0x800 | 0x100;
    const unsigned int wanted = STATX_BASIC_STATS | STATX_MNT_ID | STATX_BTIME;
    struct statx raw;
    if (syscall(SYS_statx, directory, path, flags, wanted, &raw) != 0) return -1;
    status->device = makedev(raw.stx_dev_major, raw.stx_dev_minor);
    status->inode = raw.stx_ino;
    status->links = raw.stx_nlink;
    status->mount = raw.stx_mnt_id;
    status->size = (int64_t)raw.stx_size;
    status->allocated = (int64_t)raw.stx_blocks * 512;
    status->modified = raw.stx_mtime.tv_sec * 1000000000 + raw.stx_mtime.tv_nsec;
    status->changed = raw.stx_ctime.tv_sec * 1000000000 + raw.stx_ctime.tv_nsec;
    // 0 where the file system does not record it.
    status->born = raw.stx_btime.tv_sec * 1000000000 + raw.stx_btime.tv_nsec;
    status->mode = raw.stx_mode;
    status->owner = raw.stx_uid;
    status->group = raw.stx_gid;
    status->has_mount = (raw.stx_mask & STATX_MNT_ID) != 0;
    return 0;
}

// The names of a file's extended attributes without opening it (6.13 and later, else ENOSYS).
static inline long linux_listxattrat(int directory, const char *path, char *_Nullable list, size_t size) {
    const long number = 465;
    return syscall(number, directory, path, 0x100 /* AT_SYMLINK_NOFOLLOW */, list, size);
}

// 1: somebody has the file open for writing; 0: nobody; -1: it cannot be told. `descriptor` is open to read.
//
// A read lease is granted only where there is no writer. It lives for a microsecond, but a writer that comes
// in that microsecond breaks it, and the kernel then tells us by SIGIO, which kills a process that does not
// expect it. So the news is asked for as SIGURG, which is ignored by default. (The writer waits until the
// lease is gone; one that opens with O_NONBLOCK in that very microsecond is refused once, with EWOULDBLOCK.)
static inline int linux_has_writer(int descriptor) {
    const int set_signal = 10 /* F_SETSIG */, set_lease = 1024 /* F_SETLEASE */;
    if (fcntl(descriptor, set_signal, SIGURG) != 0) return -1;
    if (fcntl(descriptor, set_lease, F_RDLCK) != 0) return errno == EAGAIN ? 1 : -1;
    (void)fcntl(descriptor, set_lease, F_UNLCK);
    return 0;
}

// Whether the open directory lists an entry of this name.
static inline int linux_lists(DIR *entries, const char *name) {
    rewinddir(entries);
    for (const struct dirent *entry; (entry = readdir(entries));) {
        if (strcmp(entry->d_name, name) == 0) return 1;
    }
    return 0;
}

// 1: names in the directory that differ only in case are one name. The file system itself is asked: its first
// name with a letter, in the other case, leads to something that is not listed. 0 where nothing can be asked.
static inline int linux_folds_case(int directory) {
    int flags = 0;
    if (ioctl(directory, FS_IOC_GETFLAGS, &flags) == 0 && (flags & 0x40000000 /* FS_CASEFOLD_FL */) != 0) {
        return 1;
    }
    const int own = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *const entries = own < 0 ? NULL : fdopendir(own);
    if (!entries) {
        if (own >= 0) close(own);
        return 0;
    }
    int folds = 0;
    for (const struct dirent *entry; (entry = readdir(entries));) {
        char other[sizeof entry->d_name];
        int letters = 0;
        size_t length = 0;
        for (; entry->d_name[length]; length++) {
            const char byte = entry->d_name[length];
            const int isLetter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
            other[length] = isLetter ? (char)(byte ^ 0x20) : byte;
            letters += isLetter;
        }
        other[length] = 0;
        if (letters == 0) continue;
        struct linux_status status;
        // Its name is gone already: ask with another one.
        if (linux_status(directory, entry->d_name, &status) != 0) continue;
        folds = linux_status(directory, other, &status) == 0 && !linux_lists(entries, other);
        break;
    }
    closedir(entries);
    return folds;
}

// glibc has them since 2.34.
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

// `d_name` is an array, which Swift would copy as a tuple of 256 from an entry that may be shorter.
static inline const char *linux_entry_name(const struct dirent *entry) {
    return entry->d_name;
}

// From now on `take` gets every task of Swift's that is not bound to an executor. To be called before the
// first task.
void linux_take_tasks(void (*take)(void *task));

#pragma clang assume_nonnull end
