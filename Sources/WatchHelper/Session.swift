// SPDX-License-Identifier: GPL-2.0-only

import Glibc

/// A run of the watcher: everything it knows, and its loop. One thread owns it all.
///
/// Events are never paired or believed about directories: an event only says which name to look at, and what
/// stands there now decides. So any order of renames, however fast, ends in the tree that is on the disk.
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
    /// `nil` where nobody asked for evidence.
    var evidence: EvidenceReader?
    var displaced = DisplacedFiles()

    /// Stamped on what is to be scanned; a new one begins behind every token. 0 is what `ready` waits for.
    var epoch = 1
    var isReady = false
    /// The library may hold events that poll does not see.
    var mayHoldEvents = true
    /// What came since the last wait can wait, and more of it is about to come: the bridge writes, or looks.
    var isUnhurried = false

    /// A mark in the queue that a token waits behind, with the epoch it closed once it was passed.
    struct Token {
        let text: String
        let mark: Int32?
        var closes: Int?
    }

    /// When lost roots are looked for again, if there are any.
    var lostRootsDue: Double?
    /// When evidence is told that nothing else has taken along.
    private var evidenceDue: Double?

    /// A private inode, to put marks on.
    let markable: Int32
    var mounts = Mounts()

    /// So many events at a time, then scans and output get their turn.
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

    /// Works until the input ends; throws when the output does.
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

    /// Evidence alone is nothing that anybody waits for: it goes along with the next hint or answer, or else
    /// a little later. Told at once, it would wake the bridge for each of its own looks.
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
            // Nothing is asked of it; an error is reported all the same, once nobody reads any more.
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

    /// A file that the bridge writes or reads raises half a dozen events, and the kernel makes it wake us for
    /// each one that finds us waiting. Whoever would be told meanwhile is busy with that very file.
    private mutating func letWriterFinish() {
        guard isUnhurried else { return }
        isUnhurried = false
        if scans.isEmpty, !mayHoldEvents { usleep(Self.momentOfWriting) }
    }

    /// In millionths of a second.
    private static let momentOfWriting: UInt32 = 100

    /// In milliseconds, as poll has it: none while there is work, for ever while nothing is to be waited for.
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

    // MARK: What is done

    /// Tells what became true now that less is left to do.
    mutating func settle() {
        retryStale()
        if scans.isEmpty {
            for watch in tree.purgeLimbo() {
                kernel.remove(watch)
                unguarded(watch)
            }
            tellUnwatched()
        }
        guardRoots()
        let oldest = min(scans.oldestEpoch ?? .max, stale.oldestEpoch(where: { tree.place(of: $0) != nil }))
        if !isReady && oldest > 0 {
            isReady = true
            lines.say("ready")
        }
        while isReady, let closes = tokens.first?.closes, closes < oldest {
            lines.say("token \(tokens.removeFirst().text)")
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

/// Looking at every directory again: after an overflow, a mount, or when asked to.
///
/// One that is followed by the next within ten seconds puts that off, longer each time: a flood that
/// overflows the queue again and again must not find the watcher crawling for ever.
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

/// Directories that were not where the tree has them when somebody wanted to look into them.
///
/// Something above them was moved, and the events that say so are on their way. Then they are listed.
struct StaleNodes {
    private var epochs: [DirectoryTree.NodeID: Int] = [:]
    private var tries: [DirectoryTree.NodeID: Int] = [:]

    private static let mostTries = 16

    /// False once it was tried so often that it is given up until the next rescan.
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
