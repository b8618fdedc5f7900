// SPDX-License-Identifier: GPL-2.0-only

import CInotifyTools
import CWatchShim
import Glibc

/// One thing the kernel reported.
struct Event {
    let watch: Int32
    let mask: UInt32
    let cookie: UInt32
    let name: Bytes

    func has(_ bits: Int32) -> Bool { mask & UInt32(bitPattern: bits) != 0 }
}

/// The fence round libinotifytools: only those of its functions that were measured to be sound, from one
/// thread.
///
/// Every watch is placed on an open descriptor, so that no rename in between can put it on another directory,
/// and under a name of its own, because the library mixes up two watches that ever had the same name.
struct KernelWatches {
    /// What is told of directories that may hold documents.
    private let documents: Int32
    private var serial: UInt64 = 0

    /// The descriptor to poll.
    let descriptor: Int32

    /// Changes of what a directory holds. Nothing that looking into one raises, so that scans stay silent.
    static let changes =
        IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ATTRIB
        | IN_DELETE_SELF | IN_MOVE_SELF

    /// Which names a directory has.
    static let names = IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE

    /// Who looked at what; many more events, so only when asked for.
    static let evidence = IN_OPEN | IN_ACCESS | IN_CLOSE_NOWRITE

    init(withEvidence: Bool) throws(SystemError) {
        guard inotifytools_initialize() != 0 else { throw SystemError(code: inotifytools_error()) }
        descriptor = watch_descriptor()
        documents = Self.changes | (withEvidence ? Self.evidence : 0)
    }

    /// Watches a directory, for all that may concern documents or for less; `nil` where it is watched
    /// already.
    mutating func add(
        _ directory: borrowing Directory,
        _ events: Int32? = nil
    ) throws(SystemError) -> Int32? {
        let name = uniqueName(directory.descriptor)
        // MASK_CREATE: a second watch on a watched inode fails, where it would silently replace the first.
        let flags = IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK | IN_MASK_CREATE
        let mask = Int32(bitPattern: UInt32(flags)) | (events ?? documents)
        let added = unsafe name.withCString { unsafe inotifytools_watch_file($0, mask) }
        guard added != 0 else {
            let error = SystemError(code: inotifytools_error())
            guard error.code == EEXIST else { throw error }
            return nil
        }
        // The library ends the names of directories with a slash.
        return unsafe (name + [UInt8(ascii: "/")]).withCString { unsafe inotifytools_wd_from_filename($0) }
    }

    func remove(_ watch: Int32) {
        inotifytools_remove_watch_by_wd(watch)
    }

    /// The next event; `nil` once the kernel's queue is empty. The library buffers: ask until `nil`.
    func next() -> Event? {
        guard let event = unsafe inotifytools_next_events(0, 1) else { return nil }
        return unsafe Event(
            watch: event.pointee.wd,
            mask: event.pointee.mask,
            cookie: event.pointee.cookie,
            name: Bytes(cString: watch_event_name(event))
        )
    }

    /// Puts a mark at the end of the kernel's queue and says which watch its IGNORED will name; `nil` where
    /// none can be had. It is a watch on the private inode `descriptor`, removed at once: what the kernel
    /// says of that removal comes after all that was queued before, and touches no file.
    func mark(_ descriptor: Int32) -> Int32? {
        let name = Bytes("/proc/self/fd/\(descriptor)".utf8)
        let added = unsafe name.withCString { unsafe inotifytools_watch_file($0, IN_ATTRIB) }
        guard added != 0 else { return nil }
        let watch = unsafe name.withCString { unsafe inotifytools_wd_from_filename($0) }
        inotifytools_remove_watch_by_wd(watch)
        return watch
    }

    /// A path to the open directory that no other watch has ever had: the bits of a serial number, written as
    /// `/.` and `/`, which the kernel both steps over.
    private mutating func uniqueName(_ descriptor: Int32) -> Bytes {
        serial += 1
        var name = Bytes("/proc/self/fd/\(descriptor)".utf8)
        var rest = serial
        while rest > 0 {
            name.append(UInt8(ascii: "/"))
            if rest & 1 == 1 { name.append(UInt8(ascii: ".")) }
            rest >>= 1
        }
        name += Bytes("/.".utf8)
        return name
    }
}
