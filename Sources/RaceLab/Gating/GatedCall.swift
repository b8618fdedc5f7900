import Model
import Replica

/// A system call on the containers, or a sleep: the steps that the lab orders.
package struct GatedCall: Sendable, Hashable {
    package enum Kind: String, Sendable {
        /// The first call of a program: nothing of it runs before.
        case start
        case stat, open
        case openToWrite = "open-to-write"
        case read, write, truncate, sync, close, rename, link, symlink, unlink, mkdir, rmdir, mknod, mmap,
            msync
        case sleep

        /// Others can see what it did.
        var isChange: Bool {
            switch self {
            case .start, .stat, .open, .read, .sync, .close, .sleep: false
            default: true
            }
        }
    }

    package var kind: Kind
    /// With the container first, as in `app/budget.json`; of a `rename` both that lie in one.
    package var paths: [String]
    /// The file that it reads or writes has lost its name to another one since it was opened.
    package var isOfReplaced = false
    /// Where in its source it reads from; `nil`: unknown.
    package var offset: Int?
    /// How many bytes it reads at most; `nil`: unknown.
    package var count: Int?
    /// The other names of the file that it reads or, if it reads none, changes.
    package var links: [String] = []

    package init(_ kind: Kind, _ paths: [String] = [], isOfReplaced: Bool = false, offset: Int? = nil) {
        self.kind = kind
        self.paths = paths
        self.isOfReplaced = isOfReplaced
        self.offset = offset
    }

    /// The file whose present content it reads; of a copy between two files the first.
    var source: String? {
        if isOfReplaced { return nil }
        switch kind {
        case .read: return paths.first
        case .write: return paths.count > 1 ? paths.first : nil
        default: return nil
        }
    }

    /// The same with its other names.
    var sources: [String] { source.map { [$0] + links } ?? [] }

    /// Whether it writes into a file that had the name of that document before another one took it.
    func isIntoReplaced(_ document: RelativePath, on side: Side) -> Bool {
        guard kind == .write, paths.count == 1, let path = paths.first else { return false }
        if isOfReplaced { return path == "\(side.rawValue)/\(document)" }
        // An agent exchanges the two, which leaves the replaced file a name of the agent's own.
        let directory = document.directory.map { "\(side.rawValue)/\($0)/" } ?? "\(side.rawValue)/"
        guard path.hasPrefix(directory) else { return false }
        let name = TemporaryName(String(path.dropFirst(directory.count)))
        return name?.belongs(to: document) ?? false
    }

    /// The files whose contents or names it changes.
    var changed: [String] {
        switch kind {
        case .write, .truncate: source == nil ? paths + links : paths
        case .rename, .link, .unlink: paths
        default: []
        }
    }

    /// The changed files, and files that it may have emptied, created or mapped.
    var touched: [String] { kind == .openToWrite || kind == .mmap ? paths : changed }

    /// `rename app/.new app/budget.json`.
    package var text: String { ([kind.rawValue] + paths).joined(separator: " ") }
}

/// A call that was let through, and whose it was.
package struct GatedStep: Sendable, Hashable {
    package var lane: RaceLane
    package var call: GatedCall
    package var process = RacedProcess([])
    package var thread: Int32 = 0

    package var text: String { "\(lane.name) \(call.text)" }
}

extension [GatedStep] {
    /// The steps as text, with a number in the place of each name that is not in `lasting`: programs draw the
    /// names of temporary files, or make them of their process's number.
    package func texts(lasting: Set<String>) -> [String] {
        var numbers: [String: Int] = [:]
        return map { step in
            var step = step
            step.call.paths = step.call.paths.map { path in
                guard !lasting.contains(path) else { return path }
                let number = numbers[path] ?? numbers.count + 1
                numbers[path] = number
                let side = path.prefix { $0 != "/" }
                return side == path ? path : "\(side)/<\(number)>"
            }
            return step.text
        }
    }
}
