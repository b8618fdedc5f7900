// SPDX-License-Identifier: GPL-2.0-only

import CInotifyTools
import CWatchShim
import Glibc

/// One event from the kernel.
struct Event {
    let watch: Int32
    let mask: UInt32
    let cookie: UInt32
    let name: Bytes

    func has(_ bits: Int32) -> Bool { mask & UInt32(bitPattern: bits) != 0 }
}

/// Encapsulates libinotifytools: uses only functions that were tested to be reliable, and only from one
/// thread.
///
/// Every watch is set on an open descriptor, so that a rename cannot redirect it to another directory; and
/// with a unique name, because the library confuses two watches that ever had the same name.
struct KernelWatches {
    /// The events for directories that may have documents.
    private let documents: Int32
    private var serial: UInt64 = 0

    /// The descriptor to poll.
    let descriptor: Int32

    /// Changes of a directory's content. Reading a directory causes none of these events, so scans are
    /// silent.
    static let changes =
        IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ATTRIB
        | IN_DELETE_SELF | IN_MOVE_SELF

    /// Changes of the names in a directory.
    static let names = IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE

    /// Accesses; they cause many more events, so they are optional.
    static let evidence = IN_OPEN | IN_ACCESS | IN_CLOSE_NOWRITE

    init(withEvidence: Bool) throws(SystemError) {
        guard inotifytools_initialize() != 0 else { throw SystemError(code: inotifytools_error()) }
        descriptor = watch_descriptor()
        documents = Self.changes | (withEvidence ? Self.evidence : 0)
    }

    /// Watches a directory, for all events about documents or for names only; `nil` if it is watched already.
    mutating func add(
        _ directory: borrowing Directory,
        _ events: Int32? = nil
    ) throws(SystemError) -> Int32? {
        let name = uniqueName(directory.descriptor)
        // MASK_CREATE: a second watch on an inode fails instead of silently replacing the first.
        let flags = IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK | IN_MASK_CREATE
        let mask = Int32(bitPattern: UInt32(flags)) | (events ?? documents)
        let added = unsafe name.withCString { unsafe inotifytools_watch_file($0, mask) }
        guard added != 0 else {
            let error = SystemError(code: inotifytools_error())
            guard error.code == EEXIST else { throw error }
            return nil
        }
        // The library appends a slash to the names of directories.
        return unsafe (name + [UInt8(ascii: "/")]).withCString { unsafe inotifytools_wd_from_filename($0) }
    }

    func remove(_ watch: Int32) {
        inotifytools_remove_watch_by_wd(watch)
    }

    /// The next event; `nil` once the kernel's queue is empty. The library buffers events: call until `nil`.
    func next() -> Event? {
        guard let event = unsafe inotifytools_next_events(0, 1) else { return nil }
        return unsafe Event(
            watch: event.pointee.wd,
            mask: event.pointee.mask,
            cookie: event.pointee.cookie,
            name: Bytes(cString: watch_event_name(event))
        )
    }

    /// Puts a mark at the end of the kernel's queue and returns the watch of its IN_IGNORED event; `nil` if
    /// that fails. It is a watch on the private inode `descriptor` that is removed at once: the event of its
    /// removal comes after all events that were queued before, and no file is accessed.
    func mark(_ descriptor: Int32) -> Int32? {
        let name = Bytes("/proc/self/fd/\(descriptor)".utf8)
        let added = unsafe name.withCString { unsafe inotifytools_watch_file($0, IN_ATTRIB) }
        guard added != 0 else { return nil }
        let watch = unsafe name.withCString { unsafe inotifytools_wd_from_filename($0) }
        inotifytools_remove_watch_by_wd(watch)
        return watch
    }

    /// A unique path to the open directory: the bits of a serial number, written as `/.` and `/`, which the
    /// kernel ignores.
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
