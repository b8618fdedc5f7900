import CLinux
import DatabaseStore
import FileSystem
import Foundation
import Glibc
import Logging
import Model
import StateStore

/// The directories of a bridge, validated before anything is opened.
struct BridgePaths: Sendable {
    let app: String
    let group: String
    let state: String
    /// The paths of the containers as given: a link in them may lead elsewhere by now, which is no reason to
    /// sync another directory.
    private(set) var named: BothSides<String>
    /// A link to the state directory, for containers that are named by links.
    private var alias: String?
    /// A temporary directory with an empty journal, for a command that only reads and finds no journal.
    private(set) var scratch: String?

    /// Changes nothing, not even a damaged journal.
    private(set) var onlyLooks = false

    var journal: String { (scratch ?? state) + "/journal.sqlite" }
    var socket: String { state + "/agent.sock" }

    /// The limit of SwiftNIO; `sun_path` has room for four more bytes.
    static let longestSocketPath = 103

    init(app: String, group: String, state: String) {
        self.app = app
        self.group = group
        self.state = state
        named = BothSides(app: app, group: group)
    }

    init(_ settings: BridgeSettings, needsSocket: Bool) throws(BridgeError) {
        app = try Self.container(settings.app)
        group = try Self.container(settings.group)
        named = BothSides(
            app: BridgeSettings.absolutePath(settings.app),
            group: BridgeSettings.absolutePath(settings.group)
        )
        state = Self.resolved(try settings.stateDirectory())
        let places = BridgePlaces(containers: BothSides(app: app, group: group), state: state)
        if let problem = places.problems(settings, needsSocket: needsSocket).first { throw problem }
        alias = try settings.stateAlias()
    }

    static func container(_ path: String) throws(BridgeError) -> String {
        guard let real = unsafe realpath(path, nil) else { throw .missingDirectory(path) }
        defer { unsafe free(real) }
        let resolved = unsafe String(cString: real)
        let descriptor = unsafe Glibc.open(resolved, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .unreadableDirectory(path, errno: errno)
        }
        Glibc.close(descriptor)
        return resolved
    }

    /// The absolute path: links are resolved as far as the path exists, and behind that there are none.
    static func resolved(_ path: String) -> String {
        var there = path.hasPrefix("/") ? path : "./" + path
        var rest: [Substring] = []
        while true {
            if let real = unsafe realpath(there, nil) {
                defer { unsafe free(real) }
                return below(unsafe String(cString: real), rest.reversed())
            }
            guard let slash = there.lastIndex(of: "/") else { return path }
            rest.append(there[there.index(after: slash)...])
            there = slash == there.startIndex ? "/" : String(there[..<slash])
        }
    }

    private static func below(_ directory: String, _ names: [Substring]) -> String {
        var missing: [Substring] = []
        for name in names where !name.isEmpty && name != "." {
            if name == "..", !missing.isEmpty { missing.removeLast() } else { missing.append(name) }
        }
        let start = directory == "/" ? "" : directory
        return missing.isEmpty ? directory : start + missing.map { "/\($0)" }.joined()
    }

    /// The boot ID of the machine; empty where the system does not provide one.
    static var boot: String {
        let id = FileManager.default.contents(atPath: "/proc/sys/kernel/random/boot_id")
        return id.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    static func isInside(_ path: String, _ directory: String) -> Bool {
        path.hasPrefix(directory.hasSuffix("/") ? directory : directory + "/")
    }

    /// - Throws: Where this user may not look into it, or not even see whether it is there.
    static func exists(_ directory: String) throws(BridgeError) -> Bool {
        if unsafe access(directory, R_OK | X_OK) == 0 { return true }
        if errno == ENOENT || errno == ENOTDIR { return false }
        throw .unreadableDirectory(directory, errno: errno)
    }

    var hasState: Bool { FileManager.default.fileExists(atPath: state) }

    func makeState() throws(BridgeError) {
        do {
            try FileManager.default.createDirectory(
                atPath: state,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .unwritableState(state, errno: errno)
        }
        try protectState()
        if let alias { _ = unsafe symlink(state, alias) }
    }

    private static let journalSuffixes = ["", "-wal", "-shm"]

    private static func journalFiles(_ name: String) -> [String] {
        journalSuffixes.map { "\(name).sqlite\($0)" }
    }

    /// The name of a damaged journal that was set aside: the first one has no number.
    private static func brokenName(_ number: Int) -> String {
        number == 1 ? "journal-broken" : "journal-broken-\(number)"
    }

    /// One more than the number of damaged journals, so that none is overwritten.
    private var nextBroken: Int {
        var number = 1
        while Self.journalFiles(Self.brokenName(number)).contains(where: {
            (try? FileManager.default.attributesOfItem(atPath: "\(state)/\($0)")) != nil
        }) {
            number += 1
        }
        return number
    }

    private func protectState() throws(BridgeError) {
        do {
            let names = ["journal"] + (1..<nextBroken).map(Self.brokenName)
            let files = names.flatMap(Self.journalFiles) + [ProcessLock.fileName]
            try PrivateDirectory.protect(state, files: files)
        } catch {
            throw BridgeError(error, of: state)
        }
    }

    /// SQLite creates files readable by everybody, and copies the rights of the main file to those beside it.
    private func makeJournalFile() {
        let opened = unsafe Glibc.open(journal, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if opened >= 0 { Glibc.close(opened) }
    }

    /// Reading must not change anything: without a journal, uses a temporary one. Where the journal cannot be
    /// written, or `always`, uses a copy of it, because SQLite writes beside one that it reads.
    mutating func useScratch(always: Bool) throws(BridgeError) {
        onlyLooks = true
        _ = try Self.exists(state)
        if !FileManager.default.fileExists(atPath: journal) {
            try makeScratch()
        } else if always
            || (unsafe access(state, W_OK) != 0 || access(journal, W_OK) != 0
                || DiskRoom.isUsedUp(at: state))
        {
            try copyJournal()
        }
    }

    /// Does nothing if there cannot be a copy: what opens the journal then says why it cannot.
    private mutating func copyJournal() throws(BridgeError) {
        guard unsafe access(damageMark, F_OK) != 0,
            let copy = StateDatabase("journal.sqlite", in: state)?.copy
        else { return }
        try makeScratch()
        let files = FileManager.default
        for suffix in ["", "-wal"] where files.fileExists(atPath: copy.path + suffix) {
            do { try files.copyItem(atPath: copy.path + suffix, toPath: journal + suffix) } catch {
                let failure = errno
                removeScratch()
                throw .unwritableState(NSTemporaryDirectory(), errno: failure)
            }
        }
    }

    mutating func makeScratch() throws(BridgeError) {
        removeScratch()
        var template = Array((NSTemporaryDirectory() + "/widgetbridge.XXXXXX").utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw .unwritableState(NSTemporaryDirectory(), errno: errno)
        }
        scratch = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func removeScratch() {
        if let scratch { try? FileManager.default.removeItem(atPath: scratch) }
    }

    func openFiles() throws(BridgeError) -> LinuxFileSystem {
        // Who only looks makes no directory for the trash.
        let lacksTrash = !FileManager.default.fileExists(atPath: "\(state)/\(Trash.directory)")
        do {
            return try LinuxFileSystem(
                app: named.app,
                group: named.group,
                state: lacksTrash ? scratch ?? state : state
            )
        } catch {
            throw .file(error)
        }
    }

    /// `patiently`: waits if another command holds it for a moment.
    func takeLock(patiently: Bool) async throws(BridgeError) -> ProcessLock {
        var attempts = patiently ? 200 : 1
        while true {
            do {
                return try ProcessLock(state: scratch ?? state)
            } catch {
                attempts -= 1
                switch error {
                case .held(let process):
                    guard attempts > 0 else { throw .alreadyRunning(process: process, state: state) }
                case .system(let errno): throw .unwritableState(state, errno: errno)
                case .notRegular:
                    throw .unreadableDirectory(state + "/" + ProcessLock.fileName, errno: EINVAL)
                }
            }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// What this journal knows is not what a process with another one does. A command holds the pair only
    /// for a moment, so this asks twice.
    func refuseTakenPair() async throws(BridgeError) {
        guard pairTaken != nil else { return }
        try? await Task.sleep(for: .milliseconds(500))
        if let taken = pairTaken { throw taken }
    }

    /// The error if a process with another state directory syncs this pair.
    var pairTaken: BridgeError? {
        guard let holder = PairLock.holder(app, group), let other = holder.state, other != state else {
            return nil
        }
        return .pairTaken(process: holder.process, state: other, app: app, group: group)
    }

    /// Prevents two bridges with different state directories, or with the sides swapped, from syncing the
    /// same pair.
    func takePair(patiently: Bool) async throws(BridgeError) -> PairLock {
        var attempts = patiently ? 200 : 1
        while true {
            do {
                return try PairLock(app, group, asksHolder: attempts == 1)
            } catch {
                attempts -= 1
                switch error {
                case .held(let process, let state):
                    guard attempts > 0 else {
                        throw .pairTaken(process: process, state: state, app: app, group: group)
                    }
                case .system(let errno): throw .unreadableDirectory(app, errno: errno)
                }
            }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Sets a damaged journal aside: with an empty journal the bridge merges both sides and deletes nothing.
    /// A command that only reads leaves the journal where it is, and works without it.
    mutating func openJournal(logger: Logger) throws(BridgeError) -> SQLiteJournal {
        let instance = String(UInt64.random(in: .min ... .max), radix: 36)
        if scratch == nil, unsafe access(damageMark, F_OK) == 0 {
            try setAside(.marked, logger)
        }
        makeJournalFile()
        do {
            return try SQLiteJournal(path: journal, newInstance: instance)
        } catch {
            guard error.isBroken else { throw unusable(error) }
            try setAside(.unusable(error), logger)
        }
        makeJournalFile()
        do {
            return try SQLiteJournal(path: journal, newInstance: instance)
        } catch {
            throw unusable(error)
        }
    }

    private mutating func setAside(_ damage: JournalDamage, _ logger: Logger) throws(BridgeError) {
        if onlyLooks {
            let text = "the journal is damaged: its records are not shown, and the next sync sets it aside"
            logger.error("\(text)", metadata: ["reason": "\(damage.text)"])
            return try makeScratch()
        }
        logger.error("the journal is damaged and was set aside", metadata: ["reason": "\(damage.text)"])
        let name = Self.brokenName(nextBroken)
        for suffix in Self.journalSuffixes {
            unsafe _ = rename(journal + suffix, "\(state)/\(name).sqlite\(suffix)")
        }
        unsafe _ = unlink(damageMark)
    }

    /// A file that exists while a part of the journal is damaged, which opening the journal need not reveal.
    var damageMark: String { state + "/journal.damaged" }

    /// Makes the next start set the journal aside. `false` if that cannot be noted.
    func markDamage() -> Bool {
        if onlyLooks { return false }
        let mark = unsafe open(damageMark, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        if mark >= 0 { close(mark) }
        return mark >= 0
    }

    func unusable(_ error: JournalError) -> BridgeError {
        if error.isBroken { _ = markDamage() }
        if error.isLocked { return .journalLocked(journal) }
        return error.lacksRoom ? .noRoom(journal) : .journal(error, path: journal)
    }
}

/// How the damage was noticed.
enum JournalDamage {
    /// An earlier run could not read or write a part of the journal.
    case marked
    case unusable(JournalError)
}

/// The identity of the file at a path.
struct FileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let inode: UInt64

    init?(of path: String) {
        var status = linux_status()
        guard unsafe linux_status(AT_FDCWD, path, &status) == 0 else { return nil }
        device = status.device
        inode = status.inode
    }

    /// The path has no file now, or another one. `false` if the check fails.
    func hasLeft(_ path: String) -> Bool {
        var status = linux_status()
        guard unsafe linux_status(AT_FDCWD, path, &status) == 0 else {
            return errno == ENOENT || errno == ENOTDIR
        }
        return status.device != device || status.inode != inode
    }
}

extension BridgeSettings {
    /// The error if a process with another state directory is known to sync the same pair of containers.
    package var pairTaken: BridgeError? {
        (try? BridgePaths(self, needsSocket: false))?.pairTaken
    }
}
