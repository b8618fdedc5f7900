// SPDX-License-Identifier: GPL-2.0-only

import Glibc

/// The state of the watching program, and its main loop, on one thread.
///
/// Events about directories are neither paired nor trusted: an event only names an entry to look at, and its
/// current state decides. So after any sequence of renames, the tree matches the disk.
struct Session {
    var kernel: KernelWatches
    var tree = DirectoryTree()
    var roots: [Root]
    var scans = ScanQueue()
    var stale = StaleNodes()
    var tokens: [Token] = []
    var input = Input()
    var lines = Lines()
    var crawl = Crawl()
    var guards = Guards()
    var guardsAreDue = false
    /// `nil` without the option for access events.
    var evidence: EvidenceReader?
    var temporaries = TemporaryFiles()

    /// The epoch of new scans; it is incremented with every token. `ready` waits for epoch 0.
    var epoch = 1
    var isReady = false
    /// The library may have buffered events that `poll` does not report.
    var mayHoldEvents = true
    /// The events since the last wait are not urgent, and more are expected: the bridge is writing or
    /// reading.
    var isUnhurried = false

    /// A mark in the queue for a token, with the epoch that it closed once it was read.
    struct Token {
        let text: String
        let mark: Int32?
        var closes: Int?
    }

    /// When to search for lost roots, if there are any.
    var lostRootsDue: Double?
    /// When to write access events that no other line has taken along.
    private var evidenceDue: Double?

    /// A private inode for marks.
    let markable: Int32
    var mounts = Mounts()

    /// The number of events per turn, before scans and output continue.
    static let eventsPerTurn = 4096
    static let scansPerTurn = 256

    init(roots paths: [Bytes], evidence: Bool) throws(SystemError) {
        kernel = try KernelWatches(withEvidence: evidence)
        roots = paths.map { Root(path: $0) }
        self.evidence = evidence ? EvidenceReader() : nil
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .last }
        markable = ends[0]
    }

    /// Runs until the input is closed; throws if the output is closed.
    mutating func run() throws(SystemError) {
        while true {
            try waitForWork()
            drain()
            try performScans()
            settle()
            try flushLines()
            closeRoots()
            if input.hasEnded && tokens.isEmpty { return }
        }
    }

    /// Access events alone are not urgent: they are written with the next hint or token, or a little later.
    /// Writing them at once would wake the bridge for each of its own reads.
    private mutating func flushLines() throws(SystemError) {
        if !lines.isUrgent, !lines.isFull, !lines.isEmpty {
            let due = evidenceDue ?? monotonicNow() + Self.evidenceDelay
            evidenceDue = due
            isUnhurried = true
            guard monotonicNow() >= due else { return }
        }
        evidenceDue = nil
        try lines.flush()
    }

    /// In seconds.
    private static let evidenceDelay = 0.02

    // MARK: Waiting

    private mutating func waitForWork() throws(SystemError) {
        letWriterFinish()
        var waited = [
            pollfd(fd: kernel.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: input.hasEnded ? -1 : 0, events: Int16(POLLIN), revents: 0),
            // Requests no event; `poll` still reports an error once the reader is gone.
            pollfd(fd: 1, events: 0, revents: 0),
            pollfd(fd: mounts.descriptor, events: Int16(POLLPRI), revents: 0),
        ]
        let result = unsafe poll(&waited, nfds_t(waited.count), timeout())
        guard result >= 0 || errno == EINTR else { throw .last }
        if waited[2].revents & Int16(POLLERR) != 0 { throw SystemError(code: EPIPE) }
        if waited[0].revents != 0 { mayHoldEvents = true }
        if waited[3].revents != 0 { mountsChanged() }
        if waited[1].revents != 0 { readCommands() }
        runTimers()
    }

    /// A write or read by the bridge causes about six events, and the kernel would wake this process for each
    /// of them. So it waits a moment while the bridge is busy with the file.
    private mutating func letWriterFinish() {
        guard isUnhurried else { return }
        isUnhurried = false
        if scans.isEmpty, !mayHoldEvents { usleep(Self.momentOfWriting) }
    }

    /// In microseconds.
    private static let momentOfWriting: UInt32 = 100

    /// In milliseconds, for `poll`: 0 while there is work, -1 if nothing is pending.
    private func timeout() -> Int32 {
        if mayHoldEvents || !scans.isEmpty { return 0 }
        guard let due = [lostRootsDue, crawl.due, evidenceDue].compactMap({ $0 }).min() else { return -1 }
        return Int32(max(0, ((due - monotonicNow()) * 1000).rounded(.up)))
    }

    private mutating func runTimers() {
        if let due = lostRootsDue, monotonicNow() >= due { checkRoots() }
        if let due = crawl.due, monotonicNow() >= due { startCrawl() }
    }

    private mutating func mountsChanged() {
        checkRoots()
        guard mounts.changed(beneath: roots.map(\.resolvedPath)) else { return }
        crawl.request(at: monotonicNow())
    }

    // MARK: Completed work

    /// Reports what is complete now that less work is left.
    mutating func settle() {
        retryStale()
        if scans.isEmpty {
            for watch in tree.purgeLimbo() {
                kernel.remove(watch)
                unguarded(watch)
            }
            reportUnwatched()
        }
        guardRoots()
        let oldest = min(scans.oldestEpoch ?? .max, stale.oldestEpoch(where: { tree.place(of: $0) != nil }))
        if !isReady && oldest > 0 {
            isReady = true
            lines.add("ready")
        }
        while isReady, let closes = tokens.first?.closes, closes < oldest {
            lines.add("token \(tokens.removeFirst().text)")
        }
    }

    private mutating func retryStale() {
        for (node, epoch) in stale.due(before: scans.oldestEpoch ?? .max) {
            guard tree.nodes[node] != nil else {
                stale.remove(node)
                continue
            }
            guard tree.place(of: node) != nil else { continue }
            stale.retry(node)
            scans.push(Scan(node: node, work: .list, mode: .shallow, epoch: epoch))
        }
    }
}

/// A scan of all directories: after an overflow, a mount, or on request.
///
/// Scans within ten seconds of each other are delayed, longer each time, so that a flood of overflows does
/// not keep the program scanning all the time.
struct Crawl {
    private(set) var due: Double?
    private var last = -Self.longest
    private var delay = 0.0

    private static let longest = 10.0

    mutating func request(at now: Double) {
        if now > last + Self.longest { delay = 0 }
        due = due ?? max(now, last + delay)
    }

    mutating func started(at now: Double) {
        due = nil
        last = now
        delay = min(Self.longest, max(0.1, delay * 2))
    }
}

/// Directories that were not at the location in the tree when they were opened.
///
/// A parent was moved, and its events are still in the queue. They are scanned afterwards.
struct StaleNodes {
    private var epochs: [DirectoryTree.NodeID: Int] = [:]
    private var tries: [DirectoryTree.NodeID: Int] = [:]

    private static let mostTries = 16

    /// `false` after too many tries: given up until the next full scan.
    mutating func insert(_ node: DirectoryTree.NodeID, epoch: Int) -> Bool {
        guard tries[node, default: 0] < Self.mostTries else {
            remove(node)
            return false
        }
        epochs[node] = min(epochs[node] ?? .max, epoch)
        return true
    }

    func due(before epoch: Int) -> [(DirectoryTree.NodeID, Int)] {
        guard !epochs.isEmpty else { return [] }
        return epochs.filter { $0.value < epoch }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func oldestEpoch(where isMeant: (DirectoryTree.NodeID) -> Bool) -> Int {
        guard !epochs.isEmpty else { return .max }
        return epochs.filter { isMeant($0.key) }.values.min() ?? .max
    }

    mutating func retry(_ node: DirectoryTree.NodeID) {
        epochs[node] = nil
        tries[node, default: 0] += 1
    }

    mutating func remove(_ node: DirectoryTree.NodeID) {
        epochs[node] = nil
        tries[node] = nil
    }

    mutating func succeeded(_ node: DirectoryTree.NodeID) {
        if !tries.isEmpty { tries[node] = nil }
    }
}
