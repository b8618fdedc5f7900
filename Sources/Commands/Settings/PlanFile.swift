import AgentClient
import BridgeRuntime
import FoundationEssentials
import Model
import StateStore
import Stores
import SyncEngine

/// A saved plan. `apply` does exactly what it says, or nothing.
struct PlanFile: Codable {
    struct Part: Codable {
        /// The real path of a container that is migrated without a bridge; `nil` for a bridge.
        var directory: String?
        /// The bridge's name, if there are several.
        var bridge: String?
        var documents: [MigrationEntry]
    }

    var format = PlanFile.format
    var version = PlanFile.version
    var profile: String
    var to: Int?
    var parts: [Part]
    /// The digest of everything else in the file, which detects an edit.
    private var digest: Digest?

    static let format = "widgetbridge migration plan"
    /// 2: the digest.
    static let version = 2

    init(profile: String, to: Int?, parts: [Part]) {
        self.profile = profile
        self.to = to
        self.parts = parts
    }
}

enum PlanFileError: Error, Hashable {
    case notAPlan(String)
    /// The file was changed after `plan` wrote it, for example by removing documents.
    case edited(String)
    /// A file of this name would be a document of a container that the plan is for.
    case document(String)
    case otherVersion(String, Int)
    /// The command line names a file that the plan does not have.
    case notPlanned(document: String, plan: String)
    /// The plan is for another target than the command line.
    case otherTarget(String)
}

extension PlanFile {
    private struct Head: Decodable {
        var format: String
        var version: Int
    }

    init(reading path: String) throws {
        let bytes = Data(try NamedFile(path).bytes)
        guard let head = try? JSONDecoder().decode(Head.self, from: bytes), head.format == Self.format else {
            throw PlanFileError.notAPlan(path)
        }
        guard head.version == Self.version else { throw PlanFileError.otherVersion(path, head.version) }
        guard let plan = try? JSONDecoder().decode(PlanFile.self, from: bytes) else {
            throw PlanFileError.notAPlan(path)
        }
        guard try plan.digest == plan.ownDigest() else { throw PlanFileError.edited(path) }
        self = plan
    }

    /// Replaces the file completely or not at all.
    func write(to path: String) throws {
        try Self.checkReplaceable(path)
        var plan = self
        plan.digest = try ownDigest()
        try NamedFile.write(try plan.encoded() + [UInt8(ascii: "\n")], to: path)
    }

    /// Throws if `path` has a file that is not an older plan, so that it is not lost.
    static func checkReplaceable(_ path: String) throws {
        guard let file = try NamedFile(ifThere: path), !file.bytes.isEmpty else { return }
        guard let head = try? JSONDecoder().decode(Head.self, from: Data(file.bytes)),
            head.format == Self.format
        else { throw NamedFileError.occupied(path) }
    }

    private func ownDigest() throws -> Digest {
        var plan = self
        plan.digest = nil
        return Digest(of: try plan.encoded())
    }

    private func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self))
    }

    /// The planned files, by their container's directory.
    var directories: [ExactText: [String]] {
        var directories: [ExactText: [String]] = [:]
        for part in parts {
            guard let directory = part.directory else { continue }
            directories[ExactText(directory)] = part.documents.map(\.document.description)
        }
        return directories
    }

    /// The entries of one target: those of its named files, or all.
    func entries(for target: MigrationTarget) -> [MigrationEntry] {
        switch target {
        case .container(let container, _):
            let directory = ExactText(container.directory)
            let documents = parts.first { $0.directory.map { ExactText($0) } == directory }?.documents ?? []
            guard let names = container.names.map({ Set($0) }) else { return documents }
            return documents.filter { names.contains($0.document) }
        case .bridge(let bridge):
            return parts.first { $0.directory == nil && $0.bridge == bridge.name }?.documents ?? []
        }
    }
}
