package import Documents
import FileSystem
import Glibc
package import Model
import Watching

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
    /// Added to the environment of `reloads`.
    package var environment: [String: String] = [:]

    package init(app: String, group: String) {
        self.app = app
        self.group = group
    }
}

/// Observes two containers while programs use them, without changing anything.
///
/// It reads a document as soon as the kernel reports an event for it, and all documents every few
/// milliseconds, as a widget might at any time.
package final class Observer {
    private let settings: ObserverSettings
    private let files: LinuxFileSystem
    private let watcher: Watcher
    private let reloads: ChildCommand?
    private var sightings = ObservedHistory()
    private let start = ContinuousClock.now
    private var looks = 0
    private var doubts: [ObservationDoubt] = []
    private var tolds = 0
    private var hasHeard = false
    /// The last signature of each file, read without opening it.
    private var signatures: [Location: Signature] = [:]
    private var checkedAt = Duration.zero

    private static let pace: Int32 = 2
    private static let mostSteps = 1_000_000
    private static let mostBytes = 256 << 20
    private static let mostDocuments = 10_000
    private static let largestDocument = 64 << 20
    /// After this time without a change, the containers are at rest.
    private static let quiet = Duration.seconds(1)

    /// - Parameter helper: the watching program; by default the one beside this program.
    package init(_ settings: ObserverSettings, helper: String? = nil) throws(RaceFailure) {
        var settings = settings
        settings.app = try Self.directory(settings.app)
        settings.group = try Self.directory(settings.group)
        if (settings.app + "/").hasPrefix(settings.group + "/")
            || (settings.group + "/").hasPrefix(settings.app + "/")
        {
            throw .nestedDirectories(settings.app, settings.group)
        }
        self.settings = settings
        do {
            files = try LinuxFileSystem(app: settings.app, group: settings.group, state: settings.group)
        } catch {
            throw .missingDirectory("\(error)")
        }
        let roots = BothSides(app: settings.app, group: settings.group)
        watcher = Watcher(roots: roots, helper: helper, now: .zero)
        reloads = try settings.reloads.map { command throws(RaceFailure) in
            try ChildCommand(command, environment: settings.environment, isHeard: true)
        }
    }

    deinit { close() }

    private static func directory(_ path: String) throws(RaceFailure) -> String {
        guard let real = unsafe realpath(path, nil) else { throw .missingDirectory(path) }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    private var now: Duration { ContinuousClock.now - start }

    private func note(_ doubt: ObservationDoubt) { if !doubts.contains(doubt) { doubts.append(doubt) } }

    /// Ends the processes that it started.
    package func close() {
        watcher.close()
        reloads?.end()
    }

    // MARK: Observing

    /// Observes until `isOver` is true, and then until the containers are at rest, or the wait is too long.
    ///
    /// `isOver` is called every few milliseconds; `isHurried` says whether to skip the wait.
    package func observe(
        until isOver: (Duration) -> Bool,
        isHurried: () -> Bool = { false }
    ) throws(RaceFailure) -> ObservationReport {
        awaitReadiness()
        begin()
        while !isOver(now), !isFull { try wake() }
        let end = now
        var isAtRest = false
        while !isHurried(), !isFull {
            try wake()
            let silence = now - max(sightings.lastChange, .zero)
            let isLong = silence >= Self.quiet && now - end >= min(Self.quiet, settings.patience)
            isAtRest = isLong && (silence >= Self.quiet + settings.patience || !isDivided)
            if isAtRest || now - end > settings.patience + .seconds(10) { break }
        }
        if reloads != nil, !hasHeard { note(.noReloadTold) }
        if isFull { note(.tooMuchToSee) }
        return observation(isAtRest: isAtRest)
    }

    private var isFull: Bool { sightings.steps > Self.mostSteps || sightings.contentBytes > Self.mostBytes }
    private var isDivided: Bool { sightings.isDivided(rule) }

    private func rule(for path: RelativePath) -> DocumentRule? {
        settings.profile?.rule(for: path.description)
    }

    private func awaitReadiness() {
        let deadline = now + .seconds(5)
        while now < deadline {
            if watcher.drain(now: now).contains(.ready) { return }
            if case .polling(let reason) = watcher.mode {
                return note(.kernelSilent(reason))
            }
            wait(milliseconds: 50)
        }
        note(.kernelSilent(nil))
    }

    private func begin() {
        for path in listed() {
            sightings.begin(path, BothSides { side in (try? content(Location(side, path))) ?? nil })
        }
        if reloads != nil { sightings.listens(at: now) }
    }

    private func wait(milliseconds: Int32) {
        var polled = [watcher.fileDescriptor, reloads?.output ?? -1].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        _ = unsafe poll(&polled, 2, milliseconds)
    }

    private func wake() throws(RaceFailure) {
        wait(milliseconds: Self.pace)
        for hint in watcher.drain(now: now) { heed(hint) }
        for path in sightings.documents { for side in Side.allCases { look(path, side, isHinted: false) } }
        try listen()
        if now - checkedAt > .milliseconds(200) { check() }
    }

    private func heed(_ hint: Hint) {
        switch hint {
        case .look(let side, let path): if isWatched(path) { look(path, side, isHinted: true) }
        case .beneath, .everything:
            for path in listed() { for side in Side.allCases { look(path, side, isHinted: true) } }
        case .unnamable, .evidence, .token, .ready: break
        }
    }

    /// Checks that the directories are still the same, and that the reload command is running.
    private func check() {
        checkedAt = now
        for root in [Root.app, .group] {
            let (one, other) = (try? files.standing(at: root), try? files.status(of: Directory(root)))
            if one?.signature.inode != other?.signature.inode || one == nil {
                note(.directoryLost(root))
            }
        }
    }

    // MARK: Reloads

    private func listen() throws(RaceFailure) {
        guard let reloads else { return }
        for text in reloads.lines() {
            guard let line = ReloadLine(text) else {
                note(.unknownReloadLine(text))
                continue
            }
            guard isWatched(line.document) else { continue }
            // Reads after the notice, as a widget does.
            look(line.document, .group, isHinted: true)
            sightings.told(line, at: now)
            hasHeard = true
            if !line.isCurrent { tolds += 1 }
            look(line.document, .group, isHinted: true)
        }
        guard let ending = reloads.ended() else { return }
        if ending.isNotThere { throw .noCommand(reloads.command) }
        note(.ended(command: reloads.command, ending))
    }

    // MARK: Reading

    private func isWatched(_ path: RelativePath) -> Bool {
        if !settings.documents.isEmpty { return settings.documents.contains(path) }
        return settings.profile?.isDocument(path.description) ?? isDocumentName(path.description)
    }

    private func listed() -> [RelativePath] {
        var found: Set<RelativePath> = []
        var open = [Directory(.app), Directory(.group)]
        while let directory = open.popLast(), found.count < Self.mostDocuments {
            for entry in (try? files.list(directory)) ?? [] {
                guard let name = String(validating: entry.bytes, as: UTF8.self),
                    let path = RelativePath.child(of: directory.path, name)
                else { continue }
                if entry.kind == .directory { open.append(Directory(directory.root, path)) }
                if entry.kind == .regular, isWatched(path) { found.insert(path) }
            }
        }
        if found.count >= Self.mostDocuments { note(.tooManyDocuments(Self.mostDocuments)) }
        return found.union(settings.documents).sorted()
    }

    private func look(_ path: RelativePath, _ side: Side, isHinted: Bool) {
        let file = Location(side, path)
        let signature = (try? files.status(of: file))?.signature
        if !isHinted, signature == signatures[file] { return }
        do throws(FileError) {
            sightings.saw(path, side, try content(file), at: now)
            looks += 1
            signatures[file] = signature
        } catch {
            note(.unreadable(file))
        }
    }

    private func content(_ file: Location) throws(FileError) -> [UInt8]? {
        do throws(FileError) {
            let handle = try files.open(file)
            defer { files.close(handle) }
            let bytes = try files.read(handle, limit: Self.largestDocument + 1)
            guard bytes.count <= Self.largestDocument else { throw .unsupported(.read, file) }
            return bytes
        } catch {
            switch error {
            case .missing, .noDirectory: return nil
            default: throw error
            }
        }
    }

    // MARK: Results

    private func observation(isAtRest: Bool) -> ObservationReport {
        let duration = now
        let history = sightings.finish(
            isAtRest: isAtRest,
            hasProfile: settings.profile != nil,
            rule: rule
        )
        let isSame = sameness(history)
        return ObservationReport(
            history: history,
            judgement: judgeSightings(history, patience: settings.patience, isSame: isSame),
            latencies: Latencies(of: history, isSame: isSame),
            duration: duration,
            changes: sightings.changes,
            looks: looks,
            noticed: doubts,
            unseenReloads: sightings.unseenReloads,
            reloads: reloads == nil ? nil : tolds
        )
    }

    /// Compares each pair of texts once.
    private func sameness(_ history: History) -> (Int, Int, Int) -> Bool {
        struct Pair: Hashable {
            var document: Int
            var one: Int
            var other: Int
        }
        var known: [Pair: Bool] = [:]
        return { document, one, other in
            let pair = Pair(document: document, one: one, other: other)
            if let answer = known[pair] { return answer }
            let sides = BothSides(app: one, group: other)
            let rule = self.rule(for: history.documents[document])
            let answer = whyUnequal(sides, history.versions, rule) == nil
            known[pair] = answer
            return answer
        }
    }
}
