// SPDX-License-Identifier: GPL-2.0-only

import CWatchShim
import Glibc

/// The watched parent directories of the roots.
///
/// A root that is deleted while a program has it open causes no event until it is closed, and a lost root
/// causes none when it reappears. Its parent directory reports both, and that of a link to it, if the root is
/// named by one, that the link leads elsewhere.
struct Guards {
    private var roots: [Int32: [(root: Int, name: Bytes)]] = [:]
    private var watchOf: [Identity: Int32] = [:]

    func watch(on identity: Identity) -> Int32? { watchOf[identity] }

    func contains(_ watch: Int32) -> Bool { roots[watch] != nil }

    func isGuarded(_ root: Int) -> Bool { roots.values.contains { $0.contains { $0.root == root } } }

    func hold(_ name: Bytes, _ watch: Int32) -> Bool {
        guard !roots.isEmpty, let guarded = roots[watch] else { return false }
        return guarded.contains { $0.name == name }
    }

    mutating func add(_ root: Int, name: Bytes, watch: Int32, identity: Identity) {
        roots[watch, default: []].append((root, name))
        watchOf[identity] = watch
    }

    /// Returns the watches that are no longer needed, if that root was their last.
    mutating func release(_ root: Int) -> [Int32] {
        for watch in roots.keys { roots[watch]?.removeAll { $0.root == root } }
        let unneeded = roots.filter(\.value.isEmpty).keys.sorted()
        for watch in unneeded { remove(watch) }
        return unneeded
    }

    mutating func remove(_ watch: Int32) {
        roots[watch] = nil
        watchOf = watchOf.filter { $0.value != watch }
    }
}

extension Session {
    /// Watches the parent directory of the root. If that fails, the root's own events, tokens and rescans
    /// still find changes.
    private mutating func guardRoot(_ index: Int, at path: Bytes) {
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")), slash + 1 < path.count else { return }
        let parent = slash == 0 ? [UInt8(ascii: "/")] : Bytes(path[..<slash])
        let descriptor = unsafe parent.withCString { unsafe watch_open_root($0) }
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard let directory = try? Directory(root: descriptor, path: []) else { return }
        let identity = directory.identity
        do {
            let added = try kernel.add(directory, KernelWatches.names)
            guard let watch = added ?? tree.watch(on: identity) ?? guards.watch(on: identity) else { return }
            guards.add(index, name: Bytes(path[(slash + 1)...]), watch: watch, identity: identity)
        } catch {
            return
        }
    }

    /// Watches a directory for documents; it may have been watched for names only.
    mutating func watch(_ directory: borrowing Directory) throws(SystemError) -> Int32? {
        if let watch = try kernel.add(directory) { return watch }
        let identity = directory.identity
        guard tree.watch(on: identity) == nil, let narrow = guards.watch(on: identity) else { return nil }
        kernel.remove(narrow)
        unguarded(narrow)
        return try kernel.add(directory)
    }

    /// A watch was removed, so its roots have no watched parent.
    mutating func unguarded(_ watch: Int32) {
        guard guards.contains(watch) else { return }
        guards.remove(watch)
        guardsAreDue = true
    }

    /// The root is another directory now, or was moved or deleted.
    mutating func guardAnew(_ index: Int) {
        for watch in guards.release(index) where tree.watches[watch] == nil { kernel.remove(watch) }
        guardsAreDue = true
    }

    mutating func guardRoots() {
        guard guardsAreDue else { return }
        guardsAreDue = false
        for index in roots.indices where !guards.isGuarded(index) {
            for path in roots[index].guardedPaths { guardRoot(index, at: path) }
        }
    }
}

extension Root {
    /// The root itself, and the link at its path, if it is named by one.
    fileprivate var guardedPaths: [Bytes] {
        var status = stat()
        let result = unsafe given.withCString { unsafe lstat($0, &status) }
        return result == 0 && status.st_mode & S_IFMT == S_IFLNK ? [resolvedPath, given] : [resolvedPath]
    }

    /// With symbolic links resolved, if it exists; otherwise as given.
    var resolvedPath: Bytes {
        let resolved: Bytes? = unsafe path.withCString { path in
            guard let resolved = unsafe realpath(path, nil) else { return nil }
            defer { unsafe free(resolved) }
            return unsafe Bytes(cString: resolved)
        }
        return resolved ?? given
    }

    private var given: Bytes {
        var given = path
        while given.count > 1, given.last == UInt8(ascii: "/") { given.removeLast() }
        return given.contains(UInt8(ascii: "/")) ? given : Bytes("./".utf8) + given
    }
}
