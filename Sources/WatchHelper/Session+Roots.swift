// SPDX-License-Identifier: GPL-2.0-only

import CWatchShim
import Glibc

/// A directory from the command line.
struct Root {
    let path: Bytes
    /// Its identity and node; `nil` while it is lost.
    var identity: Identity?
    var node: DirectoryTree.NodeID?
    /// Open only during scans: a deleted directory that is open would cause no event.
    var descriptor: Int32 = -1
    /// The number of directories without a watch, and the number that the client knows.
    var unwatched = 0
    var reported = 0
    var refusal = SystemError(code: 0)

    init(path: Bytes) { self.path = path }

    var isArmed: Bool { node != nil }

    /// The interval between searches for a lost root, in seconds.
    static let patience = 1.0
}

extension Session {
    /// Watches every root and queues its first scan; throws for the first that cannot be opened.
    mutating func armAtStart() throws(RootError) {
        for index in roots.indices {
            let refusal = tryArm(index, mode: .start, epoch: 0)
            if let refusal, !refusal.isLimit { throw RootError(path: roots[index].path, cause: refusal) }
        }
        _ = mounts.changed(beneath: roots.map(\.resolvedPath))
        if !roots.allSatisfy(\.isArmed) { lostRootsDue = monotonicNow() + Root.patience }
    }

    /// Compares the root's path with its state at the start. No event reports that a parent was renamed, or
    /// that something was mounted over the root.
    mutating func checkRoots() {
        for index in roots.indices {
            if let identity = roots[index].identity {
                if (try? Identity(path: roots[index].path)) == identity { continue }
                loseRoot(index, "root-lost")
            }
            armRoot(index)
            if !roots[index].isArmed { guardsAreDue = true }
        }
        lostRootsDue = roots.allSatisfy(\.isArmed) ? nil : monotonicNow() + Root.patience
    }

    mutating func loseRoot(_ index: Int, _ reason: String) {
        guard let node = roots[index].node else { return }
        lines.all(root: index, reason)
        tree.detach(node)
        roots[index].node = nil
        roots[index].identity = nil
        closeRoot(index)
        guardAnew(index)
        lostRootsDue = monotonicNow()
    }

    /// Searches for a lost root, and reports it if it is back.
    mutating func armRoot(_ index: Int) {
        guard !roots[index].isArmed else { return }
        guard tryArm(index, mode: .new, epoch: epoch) == nil else { return }
        lines.all(root: index, "root-back")
    }

    private mutating func tryArm(_ index: Int, mode: ScanMode, epoch: Int) -> SystemError? {
        let descriptor = unsafe roots[index].path.withCString { unsafe watch_open_root($0) }
        guard descriptor >= 0 else { return .last }
        defer { close(descriptor) }
        do {
            let directory = try Directory(root: descriptor, path: [])
            let identity = directory.identity
            guard let watch = try watch(directory) ?? tree.watch(on: identity) else {
                return SystemError(code: EEXIST)
            }
            let node = tree.attach([], to: nil, root: index, watch: watch, identity: identity)
            roots[index].identity = identity
            roots[index].node = node
            roots[index].unwatched = 0
            scans.push(Scan(node: node, work: .list, mode: mode, epoch: epoch))
            guardAnew(index)
            return nil
        } catch {
            if error.isLimit, roots[index].unwatched == 0 { notWatched(index, error) }
            return error
        }
    }

    // MARK: Descriptors

    mutating func openRoot(_ index: Int) throws(SystemError) -> Int32 {
        if roots[index].descriptor >= 0 { return roots[index].descriptor }
        let descriptor = unsafe roots[index].path.withCString { unsafe watch_open_root($0) }
        guard descriptor >= 0 else { throw .last }
        roots[index].descriptor = descriptor
        return descriptor
    }

    mutating func closeRoots() {
        for index in roots.indices { closeRoot(index) }
    }

    private mutating func closeRoot(_ index: Int) {
        guard roots[index].descriptor >= 0 else { return }
        close(roots[index].descriptor)
        roots[index].descriptor = -1
    }

    // MARK: Limits

    mutating func notWatched(_ root: Int, _ error: SystemError) {
        roots[root].unwatched += 1
        roots[root].refusal = error
    }

    /// Reports that hints may be missing: how many directories have no watch, and when all have one again.
    mutating func reportUnwatched() {
        for index in roots.indices where roots[index].unwatched != roots[index].reported {
            let count = roots[index].unwatched
            roots[index].reported = count
            guard count > 0 else {
                lines.all(root: index, "watch-limit 0")
                continue
            }
            let refusal = roots[index].refusal
            let cause = refusal.code == ENOSPC ? "raise fs.inotify.max_user_watches" : refusal.text
            lines.all(root: index, "watch-limit \(count) not watched: \(cause)")
        }
    }
}

struct RootError: Error {
    let path: Bytes
    let cause: SystemError
}

extension SystemError {
    /// The directory exists, but there are no more watches.
    var isLimit: Bool { code == ENOSPC || code == ENOMEM }
}
