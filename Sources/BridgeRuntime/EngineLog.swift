import Logging
import Model
import StateStore
import SyncEngine

/// Logs what the engine does, and each lasting problem when it begins, when its reason changes and when it
/// ends. Only an agent logs changes: other commands print them.
struct EngineLog {
    let logger: Logger
    let isAgent: Bool
    private var problems = LoggedProblems()
    private var halt: Halt?
    private var isPaused = false
    private var journal: JournalError?
    private var conflicts = 0
    private var drops = 0
    private var scan = LongScan()
    /// Whether a warning was logged that the trash is nearly full.
    private var hasWarned = false

    init(_ logger: Logger, isAgent: Bool) {
        self.logger = logger
        self.isAgent = isAgent
    }

    mutating func report(_ turn: Turn) {
        for change in turn.changes where isAgent && (change.action != .hold || problems.isNews(change)) {
            logger.log(
                level: change.level,
                "\(change.action.rawValue)",
                metadata: change.metadata
            )
        }
        for deferral in turn.deferrals {
            let document: Logger.MetadataValue = "\(deferral.document)"
            logger.debug("nothing to do", metadata: ["document": document, "why": "\(deferral.reason.text)"])
        }
    }

    mutating func report(unnamable name: String) {
        guard problems.isNews(unnamable: name) else { return }
        logger.warning("hold", metadata: ["document": "\(name)", "why": "its name is not UTF-8"])
    }

    // The end of a problem is logged as a warning, like its beginning: a log has both or neither.

    mutating func report(_ engine: Engine) {
        reportScan(of: engine)
        reportPause(engine.pausedSince != nil)
        reportHalt(engine.halt)
        reportTrash(engine.trashProblem)
        reportJournal(engine.journal.failure)
        reportConflicts(engine.counters.droppedConflicts)
        let released = problems.takeReleased { document in
            guard let row = engine.row(document) else { return false }
            if case .held = row.reason { return true }
            return row.state == .pending
        }
        for document in released {
            logger.warning("no longer held", metadata: ["document": "\(document)"])
        }
    }

    /// Also when a scan has begun, to know of how many documents it is.
    mutating func reportScan(of engine: Engine) {
        guard isAgent else { return }
        let queue = engine.debounceQueue
        let scans = engine.counters.rescans
        switch scan.news(scans: scans, waiting: queue.count, isDue: queue.isDue, at: Clock.uptime) {
        case .goesOn(let progress):
            logger.info("scanning", metadata: ["documents": "\(progress.done) of \(progress.total)"])
        case .ended(let progress, let time):
            let metadata: Logger.Metadata = [
                "documents": "\(progress.total)", "seconds": "\(time.components.seconds)",
            ]
            logger.info("scanned", metadata: metadata)
        case nil: break
        }
    }

    private mutating func reportPause(_ now: Bool) {
        guard isAgent, now != isPaused else { return }
        isPaused = now
        logger.notice("\(isPaused ? "paused; nothing is synced" : "resumed")")
    }

    private mutating func reportHalt(_ now: Halt?) {
        guard isAgent, now != halt else { return }
        halt = now
        if let halt {
            logger.error("halted; nothing is synced", metadata: ["why": "\(halt.text)"])
        } else {
            logger.warning("no longer halted")
        }
    }

    private mutating func reportTrash(_ now: TrashProblem?) {
        switch problems.news(of: now) {
        case .begins(let problem): logger.error("trash", metadata: ["why": "\(problem.text)"])
        case .ends: logger.warning("the trash can be written again")
        case nil: break
        }
    }

    private mutating func reportJournal(_ now: JournalError?) {
        guard now != journal else { return }
        journal = now
        if let journal {
            logger.error("the journal cannot be written", metadata: ["why": "\(journal.reason)"])
        } else {
            logger.warning("the journal can be written again")
        }
    }

    private mutating func reportConflicts(_ now: Int) {
        let dropped = now - conflicts
        guard dropped > 0 else { return }
        conflicts = now
        logger.warning("too many open conflicts: moved the \(dropped) oldest copies to the trash")
    }

    /// After the trash was pruned. Logged once, not after every time: `status` shows it all the time.
    mutating func reportPruning(_ use: TrashUse) {
        if let warning = use.warning, use.droppedEarly > drops || !hasWarned { logger.warning("\(warning)") }
        hasWarned = use.isNearlyFull
        drops = use.droppedEarly
    }
}

extension PlannedChange {
    fileprivate var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["document": "\(document)", "why": "\(reason.text)"]
        // The reason names the side on which a document is held; nothing is copied.
        if let from, action != .hold { metadata["direction"] = "\(from) → \(from.other)" }
        return metadata
    }

    /// Held documents and conflicts are logged as warnings.
    fileprivate var level: Logger.Level {
        switch action {
        case .hold: .warning
        case .conflict: .notice
        default: .info
        }
    }
}
