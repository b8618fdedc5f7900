package import FileSystem
package import Model
package import Replica

/// A directory as one side of a bridge: each document is a file of its own.
///
/// It keeps the state of the directory: which subdirectories the bridge made, which renames are not synced
/// yet, which directories are case-insensitive, and which of its file systems lack the exchange. The expected
/// content of a document is a parameter of each call.
package struct DirectoryReplica: Replica {
    package let side: Side
    let files: any FileSystem
    var settings: ReplicaSettings
    var folders: FolderKeeper
    var caseFolding = CaseFolding()
    /// The devices of the file systems that rejected an exchange, or an exclusive rename, without which none
    /// has an exchange.
    var withoutExchange: Set<UInt64> = []

    package init(_ side: Side, of files: any FileSystem) {
        self.side = side
        self.files = files
        settings = ReplicaSettings(maxBytes: .max)
        folders = FolderKeeper(side, syncs: false)
    }

    package mutating func begin(_ settings: ReplicaSettings) {
        self.settings = settings
        folders = FolderKeeper(side, made: settings.madeDirectories, syncs: settings.syncsDirectories)
    }

    package var hasFiles: Bool { true }
    package var exchanges: Bool { settings.exchanges && withoutExchange.isEmpty }
    package func exchanges(_ path: RelativePath) -> Bool {
        guard settings.exchanges, !withoutExchange.isEmpty else { return settings.exchanges }
        let directory = try? files.status(of: Directory(root, path.directory)).signature
        return directory.map { !withoutExchange.contains($0.device) } ?? true
    }
    package var timestampGrain: Duration { files.timestampGrain }

    // A commit completes within the call.
    package func isPending(_ path: RelativePath) -> Bool { false }
    package mutating func step(at now: Duration) -> [RelativePath] { [] }
    package var deadline: Duration? { nil }

    func place(_ path: RelativePath) -> Location { Location(side, path) }
    var root: Root { Root(side) }
}

extension BothSides where Value == any Replica {
    /// The two containers of a file system.
    package init(of files: any FileSystem) { self.init { DirectoryReplica($0, of: files) } }
}
