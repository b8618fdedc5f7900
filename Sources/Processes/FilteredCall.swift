import CLinux

/// A system call that a gated program waits with.
package enum FilteredCall: CaseIterable, Sendable {
    case open, openat, openat2, creat
    case rename, renameat, renameat2, link, linkat, unlink, unlinkat, symlink, symlinkat
    case mkdir, mkdirat, rmdir, mknod, mknodat, truncate
    case stat, lstat, fstatat, statx, access, faccessat, faccessat2, getdents
    case read, pread, readv, preadv, preadv2
    case write, pwrite, writev, pwritev, pwritev2, ftruncate, fallocate
    case fsync, fdatasync, close, dup2, dup3, copyFileRange, sendfile, splice, ioctl
    case mmap, msync, nanosleep, clockNanosleep, execve, execveat, ioUringSetup, ioSetup

    /// `nil` on an architecture without it.
    package var number: Int32? {
        let number = Self.numbers[self].map(Int32.init) ?? -1
        return number < 0 ? nil : number
    }

    package init?(number: Int32) {
        guard let call = Self.calls[number] else { return nil }
        self = call
    }

    private static let calls = Dictionary(
        uniqueKeysWithValues: allCases.compactMap { call in call.number.map { ($0, call) } }
    )

    private static let numbers: [FilteredCall: Int] = [
        .open: linux_call_open, .openat: linux_call_openat, .openat2: linux_call_openat2,
        .creat: linux_call_creat, .rename: linux_call_rename, .renameat: linux_call_renameat,
        .renameat2: linux_call_renameat2, .link: linux_call_link, .linkat: linux_call_linkat,
        .unlink: linux_call_unlink, .unlinkat: linux_call_unlinkat, .symlink: linux_call_symlink,
        .symlinkat: linux_call_symlinkat, .mkdir: linux_call_mkdir, .mkdirat: linux_call_mkdirat,
        .rmdir: linux_call_rmdir, .mknod: linux_call_mknod, .mknodat: linux_call_mknodat,
        .stat: linux_call_stat, .lstat: linux_call_lstat, .fstatat: linux_call_fstatat,
        .statx: linux_call_statx, .access: linux_call_access, .faccessat: linux_call_faccessat,
        .faccessat2: linux_call_faccessat2, .getdents: linux_call_getdents,
        .truncate: linux_call_truncate, .read: linux_call_read, .pread: linux_call_pread,
        .readv: linux_call_readv, .preadv: linux_call_preadv, .preadv2: linux_call_preadv2,
        .write: linux_call_write, .pwrite: linux_call_pwrite, .writev: linux_call_writev,
        .pwritev: linux_call_pwritev, .pwritev2: linux_call_pwritev2, .ftruncate: linux_call_ftruncate,
        .fallocate: linux_call_fallocate, .fsync: linux_call_fsync, .fdatasync: linux_call_fdatasync,
        .close: linux_call_close, .dup2: linux_call_dup2, .dup3: linux_call_dup3,
        .copyFileRange: linux_call_copy_file_range, .sendfile: linux_call_sendfile,
        .splice: linux_call_splice, .ioctl: linux_call_ioctl, .mmap: linux_call_mmap,
        .msync: linux_call_msync, .nanosleep: linux_call_nanosleep,
        .clockNanosleep: linux_call_clock_nanosleep, .execve: linux_call_execve,
        .execveat: linux_call_execveat, .ioUringSetup: linux_call_io_uring_setup,
        .ioSetup: linux_call_io_setup,
    ]
}
