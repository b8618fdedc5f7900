import DirectoryReplica
import FileSystem
import FileSystemSimulation
import Model
import Replica
import Testing

/// A replica to test the contract on, and the programs that share its documents.
protocol ReplicaGround: AnyObject {
    var replica: any Replica { get set }

    func save(_ path: RelativePath, _ bytes: [UInt8])
    func delete(_ path: RelativePath)
    func saved(_ path: RelativePath) -> [UInt8]?
    /// Runs once, directly before the next commit or removal takes effect.
    func race(_ act: @escaping () -> Void)

    /// The store is lost with everything in it.
    func lose()
    /// Another store replaces it, until `putBack`.
    func bringStranger()
    func putBack()
    /// A backup with the same mark replaces the opened store, which is lost.
    func restoreBackup()
}

/// The kinds of replicas.
enum GroundKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case directory
    case directoryWithoutExchange
    /// Neither has it links, as exFAT by FUSE.
    case directoryWithoutRenameFlags
    case keyed
    case store
    case storeWithoutExchange

    /// Those with a place for a mark at each document.
    static let marking = allCases.filter { $0 != .store && $0 != .storeWithoutExchange }
    /// Those of them that can rename a document for certain to a free name.
    static let moving = marking.filter { $0 != .directoryWithoutRenameFlags }

    var testDescription: String { rawValue }

    func ground(maxBytes: Int = 1000) -> any ReplicaGround {
        let ground: any ReplicaGround =
            switch self {
            case .directory: DirectoryGround(canExchange: true)
            case .directoryWithoutExchange: DirectoryGround(canExchange: false)
            case .directoryWithoutRenameFlags: DirectoryGround(canExchange: false, canLink: false)
            case .keyed: KeyedGround()
            case .store: StoreGround(canExchange: true)
            case .storeWithoutExchange: StoreGround(canExchange: false)
            }
        ground.replica.begin(ReplicaSettings(maxBytes: maxBytes))
        return ground
    }
}

/// A ground on a simulated disk.
protocol DiskGround: ReplicaGround {
    var disk: SimulatedDisk { get }
}

extension DiskGround {
    func saveFile(_ path: RelativePath, _ bytes: [UInt8]) {
        var above: [RelativePath] = []
        while let directory = (above.last ?? path).directory { above.append(directory) }
        for directory in above.reversed() { disk.world.makeDirectory(Location(Side.app, directory)) }
        disk.world.save(Location(Side.app, path), bytes)
    }

    func race(_ act: @escaping () -> Void) {
        disk.meanwhile = { [disk] call, _ in
            guard call == .rename || call == .link else { return }
            disk.meanwhile = { _, _ in }
            act()
        }
    }

    func lose() { disk.world.removeRoot(.app) }
    func bringStranger() { disk.world.replaceRoot(.app) }
    func putBack() { disk.world.putBackRoot(.app) }

    func restoreBackup() {
        disk.world.restoreRoot(.app)
        disk.world.removeOpenRoot(.app)
    }
}

final class DirectoryGround: DiskGround {
    let disk = SimulatedDisk()
    var replica: any Replica

    init(canExchange: Bool, canLink: Bool = true) {
        disk.canExchange = canExchange
        (disk.canRenameExclusively, disk.canLink) = (canLink, canLink)
        replica = DirectoryReplica(.app, of: disk)
    }

    func save(_ path: RelativePath, _ bytes: [UInt8]) { saveFile(path, bytes) }
    func delete(_ path: RelativePath) { disk.world.delete(Location(Side.app, path)) }
    func saved(_ path: RelativePath) -> [UInt8]? { disk.world.read(Location(Side.app, path)) }
}

final class KeyedGround: ReplicaGround {
    let store = KeyedStore()
    var replica: any Replica

    init() { replica = KeyedReplica(.app, of: store) }

    func save(_ path: RelativePath, _ bytes: [UInt8]) { store.save(path, bytes) }
    func delete(_ path: RelativePath) { store.delete(path) }
    func saved(_ path: RelativePath) -> [UInt8]? { store.read(path) }

    func race(_ act: @escaping () -> Void) {
        store.meanwhile = { [store] _ in
            store.meanwhile = { _ in }
            act()
        }
    }

    func lose() { store.goAway() }
    func bringStranger() { store.bringStranger() }
    func putBack() { store.comeBack() }
    func restoreBackup() { if let copy = store.copy() { store.restore(copy) } }
}

// MARK: - What tests say

extension [UInt8] {
    static func text(_ text: String) -> [UInt8] { Array(text.utf8) }
}

func path(_ text: String) -> RelativePath {
    guard let path = RelativePath(text) else { preconditionFailure("no path: \(text)") }
    return path
}

func place(_ name: String) -> Location { Location(Side.app, path(name)) }

func digest(_ text: String) -> Digest { Digest(of: .text(text)) }

extension ReplicaGround {
    func save(_ name: String, _ text: String) { save(path(name), .text(text)) }
    func text(_ name: String) -> String? { saved(path(name)).map { String(decoding: $0, as: UTF8.self) } }

    func read(
        _ name: String,
        unless known: Digest? = nil,
        isKnown: Bool = true,
        pair: UInt64? = nil
    ) throws -> FileReading {
        try replica.read(path(name), unless: known, mayWait: true, isKnown: isKnown, pair: pair)
    }

    func content(_ name: String, pair: UInt64? = nil) throws -> FileContent {
        guard case .content(let content) = try read(name, pair: pair) else { throw NoContent() }
        return content
    }

    func isUnchanged(_ name: String, since staged: Staged) throws -> Bool {
        replica.isUnchanged(try signature(name), since: staged)
    }

    func signature(_ name: String) throws -> Signature {
        try #require(try replica.signature(of: path(name), isKnown: true))
    }

    /// Creates directories first, if the replica needs them.
    func prepare(
        _ name: String,
        _ text: String,
        over expected: String? = nil,
        number: UInt64 = 1,
        mark: PublicationMark? = nil
    ) throws -> Staged {
        let write = DocumentWrite(
            path(name),
            bytes: .text(text),
            digest: digest(text),
            over: expected.map { digest($0) },
            like: nil,
            number: number,
            isSynced: true,
            mark: mark
        )
        do { return try replica.prepare(write) } catch {
            guard error.isOfNoDirectory else { throw error }
        }
        try replica.makeDirectories(above: path(name))
        return try replica.prepare(write)
    }

    func commit(_ staged: Staged, over expected: String?) throws -> Publication {
        try replica.commit(staged, over: expected.map { digest($0) }, waits: true)
    }

    func examine(_ place: Location, expecting text: String) throws -> Displaced {
        try replica.examine(place, trustUnknown: true) { $0 == digest(text) }
    }

    /// Temporary contents beside their documents.
    func temporaries() throws -> [Location] { try replica.list(nil).temporaries.map(\.0) }
}

struct NoContent: Error {}

extension FileError {
    /// Whether directories must be created before `prepare`.
    fileprivate var isOfNoDirectory: Bool {
        switch self {
        case .missing, .noDirectory: true
        default: false
        }
    }
}
