import CLinux
package import Documents
import FileSystem
import Glibc
package import Model

package struct ObserverSettings {
    package var app: String
    package var group: String
    package var profile: Profile?
    /// The documents to observe; empty: all.
    package var documents: Set<RelativePath> = []
    /// A command that prints a line for each reload.
    package var reloads: String?
    /// How long a change may take to reach the other side.
    package var patience = Duration.seconds(2)
    /// After this time without a change, the containers are at rest.
    package var quiet = Duration.seconds(1)
    /// For how long beyond the patience they may go on changing once the programs have ended.
    package var unrest = Duration.seconds(10)
    /// Added to the environment of `reloads`.
    package var environment: [String: String] = [:]
    /// Whether a program of the lab's runs on each side; `nil`: programs run that the lab did not start.
    package var programs: BothSides<Bool>?
    /// The programs that the lab did not start, and a bridge that is not ours.
    var processes: [RacePlayer: Leftovers] = [:]
    /// The directories of the bridge's conflict copies and of its trash.
    package var copies: String?
    package var trash: String?

    package init(app: String, group: String) {
        self.app = app
        self.group = group
    }

    /// The files among these that a writer of that side, its program or the bridge, may have locked.
    func locked(_ inodes: Set<UInt64>, on side: Side) -> Set<UInt64> {
        let players: [RacePlayer] = [side == .app ? .app : .widget, .bridge]
        let writers = players.compactMap { processes[$0] }.flatMap(\.processes)
        return Set(writers.flatMap(FileLock.inodes(heldBy:))).intersection(inodes)
    }
}

/// Observes two containers while programs use them, without changing anything.
///
/// Where the system permits it, no program can notice its reads. Elsewhere they raise events, as any
/// program's reads do, and the report names the programs that listen for those.
///
/// It reads a document as soon as the kernel reports an event for it, and all documents every few
/// milliseconds, as a widget might at any time.
package final class Observer {
    let settings: ObserverSettings
    let files: any FileReader
    let watch: ContainerWatch?
    var reads: LabReads
    let whyHearable: HearableReason?
    private(set) var reloads: ChildCommand?
    /// Notes the calls that passed gates; called before a change is noted that one of them may have made.
    var hearCalls: () -> Void = {}
    var sightings = ObservedHistory()
    private let start = ContinuousClock.now
    var looks = 0
    var doubts: [ObservationDoubt] = []
    var notices = 0
    private var hasHeard = false
    private var listenedAt = Duration.zero
    /// The last signature of each file, read without opening it.
    var signatures: [Location: Signature] = [:]
    /// The signature of each file that was the same before and after it was last read.
    var steady: [Location: Signature] = [:]
    /// When each file was last read.
    var lookedAt: [Location: Duration] = [:]
    private var checkedAt = Duration.zero
    /// The files that have been locked at each look since that many changes.
    var restingLocks: (changes: Int, inodes: Set<UInt64>)?
    /// The locks of ended takers that only programs hold that have nothing to do with the containers.
    var othersLocks: Set<FileLock> = []
    /// What events reported while a document was read.
    var hints: [ContainerWatch.Hint] = []
    /// Whether the program of a side waits at a gate of its own, or is over.
    var isWaiting: (Side) -> Bool = { _ in false }
    var channels: [(side: Side, channel: LabChannel)] = []
    /// How many lines of each program were none of the protocol.
    var unknownLines = BothSides(app: 0, group: 0)
    /// The sides whose programs reported that they had done their work.
    var done: Set<Side> = []
    /// The sides whose programs will change nothing any more, once all that they changed has been read.
    var ended: Set<Side> = []

    private static let pace: Int32 = 2
    private static let mostSteps = 1_000_000
    private static let mostBytes = 256 << 20

    package init(_ settings: ObserverSettings) throws(RaceFailure) {
        var settings = settings
        settings.app = try Self.directory(settings.app)
        settings.group = try Self.directory(settings.group)
        if (settings.app + "/").hasPrefix(settings.group + "/")
            || (settings.group + "/").hasPrefix(settings.app + "/")
        {
            throw .nestedDirectories(settings.app, settings.group)
        }
        self.settings = settings
        (files, whyHearable) = try Self.reader(settings)
        reads = whyHearable == nil ? .silent : .unheard
        do { watch = try ContainerWatch(BothSides(app: settings.app, group: settings.group)) } catch {
            watch = nil
            doubts.append(.kernelSilent(errno: error.code))
        }
        if let programs = settings.programs {
            for side in Side.allCases { sightings.evidence.programs[side].isThere = programs[side] }
        }
    }

    deinit { close() }

    /// Their real paths.
    package var containers: BothSides<String> { BothSides(app: settings.app, group: settings.group) }

    private static func directory(_ path: String) throws(RaceFailure) -> String {
        guard let real = unsafe realpath(path, nil) else { throw .missingDirectory(path) }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    private static func reader(
        _ settings: ObserverSettings
    ) throws(RaceFailure) -> (any FileReader, HearableReason?) {
        let (app, group) = (settings.app, settings.group)
        let reason: HearableReason
        do { return (try SilentReader(app: app, group: group), nil) } catch { reason = HearableReason(error) }
        do { return (try LinuxFileSystem(app: app, group: group, state: group), reason) } catch {
            throw .missingDirectory("\(error)")
        }
    }

    var now: Duration { ContinuousClock.now - start }

    func add(_ doubt: ObservationDoubt) { if !doubts.contains(doubt) { doubts.append(doubt) } }

    func record(kept: Duration, _ side: Side) {
        sightings.evidence.programs[side].time.waited(kept, by: now)
    }

    func record(bridgeWaited: Duration) { sightings.evidence.bridgeTime.waited(bridgeWaited, by: now) }

    /// Ends the processes that it started.
    package func close() { reloads?.end() }

    // MARK: Observing

    /// Observes until `isOver` is true, and then until the containers are at rest, or the wait is too long.
    ///
    /// `isOver` is called every few milliseconds; `isHurried` says whether to skip the wait.
    package func observe(
        until isOver: (Duration) -> Bool,
        isHurried: () -> Bool = { false }
    ) throws(RaceFailure) -> ObservationReport {
        try begin()
        while !isOver(now), !isFull { try wake() }
        // What was changed last is seen before anything else goes on.
        try wake()
        let end = now
        var isAtRest = false
        while !isHurried(), !isFull {
            try wake()
            let silence = now - max(sightings.lastChange, .zero)
            let isLong = silence >= settings.quiet && now - end >= min(settings.quiet, settings.patience)
            // A subscriber may take its time to connect, if there is something to report.
            let isHeard = reloads == nil || hasHeard || sightings.isGroupEmpty
            isAtRest = isLong && (silence >= settings.quiet + settings.patience || isHeard && !isDivided)
            // A write through a mapping of memory raises no event.
            if isAtRest {
                lookAtAll()
                isAtRest = now - max(sightings.lastChange, .zero) >= settings.quiet
            }
            if isAtRest || now - end > settings.patience + settings.unrest { break }
        }
        seekListeners()
        if reloads != nil, !hasHeard, sightings.changes == 0 || !sightings.isGroupEmpty {
            add(.noReloadReported)
        }
        if isFull { add(.tooMuchToSee) }
        return observation(isAtRest: isAtRest)
    }

    private var isFull: Bool { sightings.steps > Self.mostSteps || sightings.contentBytes > Self.mostBytes }
    private var isDivided: Bool { sightings.isDivided(rule) }

    func rule(for path: RelativePath) -> DocumentRule? {
        settings.profile?.rule(for: path.description)
    }

    /// What the command that reports the reloads does itself comes after the first look.
    private func begin() throws(RaceFailure) {
        for path in listed() {
            sightings.begin(path, BothSides { side in (try? content(Location(side, path))) ?? nil })
        }
        guard let command = settings.reloads else { return }
        let started = try ChildCommand(
            command,
            environment: settings.environment,
            isHeard: true,
            isReporting: true
        )
        reloads = started
        if let channel = started.channel { channels.append((.group, channel)) }
        sightings.listens(at: now)
    }

    private func wait(milliseconds: Int32) {
        var polled = [watch?.descriptor ?? -1, reloads?.output ?? -1].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        _ = unsafe poll(&polled, nfds_t(polled.count), milliseconds)
    }

    private func wake() throws(RaceFailure) {
        wait(milliseconds: Self.pace)
        readLines()
        drain()
        for _ in hints.indices where !hints.isEmpty { heed(hints.removeFirst()) }
        for path in sightings.documents { for side in Side.allCases { look(path, side, isHinted: false) } }
        if !ended.isEmpty { lookAtAll() }
        readLines()
        for side in ended where sightings.evidence.programs[side].over == nil {
            sightings.evidence.programs[side].over = now
        }
        ended = []
        try listen()
        rememberRestingLocks()
        if now - checkedAt > .milliseconds(200) { check() }
    }

    func drain() {
        hints += watch?.drain() ?? []
        for file in watch?.takeReplacedWrites() ?? [] {
            if let side = file.side, isWatched(file.path) { sightings.wroteReplaced(file.path, side) }
        }
    }

    private func heed(_ hint: ContainerWatch.Hint) {
        switch hint {
        case .look(let file):
            if let side = file.side, isWatched(file.path) { look(file.path, side, isHinted: true) }
        case .everything: lookAtAll()
        }
    }

    /// Checks that the directories are still the same, and that the reload command is running.
    private func check() {
        checkedAt = now
        for root in [Root.app, .group] {
            let (one, other) = (try? files.standing(at: root), try? files.status(of: Directory(root)))
            if one?.signature.inode != other?.signature.inode || one == nil {
                add(.directoryLost(root))
            }
        }
        seekListeners()
    }

    private func seekListeners() {
        guard reads != .silent else { return }
        let directories = watch?.watched.compactMap { try? files.status(of: $0).signature.inode } ?? []
        let inodes = Set(directories + signatures.values.map(\.inode))
        reads.add(listeners: AccessListeners.names(on: inodes))
    }

    // MARK: Reloads

    private func listen() throws(RaceFailure) {
        guard let reloads else { return }
        let since = listenedAt
        listenedAt = now
        for text in reloads.lines() {
            guard let line = ReloadLine(text) else {
                add(.unknownReloadLine(text))
                continue
            }
            guard isWatched(line.document) else { continue }
            // Reads after the notice, as a widget does.
            look(line.document, .group, isHinted: true)
            sightings.addNotice(line, since: since, at: now)
            hasHeard = true
            if !line.isCurrent { notices += 1 }
            look(line.document, .group, isHinted: true)
        }
        guard let ending = reloads.ended() else { return }
        if ending.isNotThere { throw .noCommand(reloads.command) }
        add(.reloadsEnded(command: reloads.command, ending))
    }
}
