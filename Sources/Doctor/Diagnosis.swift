import BridgeRuntime
import Documents
import FileSystem
import Model
import Watching

/// Decides what is wrong with what was seen of a bridge.
package struct Diagnosis {
    /// Errors first, then warnings and notes, each in the order of the parts of a bridge.
    package let findings: [Finding]

    package init(of bridge: BridgeObservation) {
        let databases = [bridge.journal, bridge.events].compactMap(\.self).map(Self.refused)
        let agent = Self.agent(bridge.agent, besides: bridge.paths.problems)
        let places = Self.containers(bridge) + Self.stores(bridge)
        let held = Self.held(bridge, besides: Set(places.filter { $0.severity == .error }.map(\.place)))
        let all =
            Self.machine(bridge) + Self.paths(bridge) + databases + places + held
            + Self.privateFiles(bridge) + Self.lookalikes(bridge) + Self.linkedDocuments(bridge)
            + Self.profile(bridge.profile) + agent
            + bridge.configuredHooks.map { Finding(.hook($0.problem), at: $0.place) }
            + bridge.hooks.compactMap(Self.failure)
        findings = Finding.Severity.allCases.flatMap { severity in all.filter { $0.severity == severity } }
    }

    // MARK: The machine

    private static func machine(_ bridge: BridgeObservation) -> [Finding] {
        var findings = bridge.missingCalls.map { Finding(.machine(.missingCall($0)), at: .machine) }
        if case .tried(let reason?) = bridge.watching {
            findings.append(Finding(.machine(.polling(reason)), at: .machine))
        } else if let limit = bridge.watchLimit, bridge.watching != .asConfigured {
            let needed = Side.allCases.reduce(0) { $0 + (bridge.containers[$1]?.directories ?? 0) }
            if needed > limit / 2 {
                findings.append(
                    Finding(.machine(.fewWatches(needed: needed, limit: limit)), at: .machine)
                )
            }
        }
        return findings
    }

    // MARK: The directories

    static func refused(_ error: BridgeError) -> Finding {
        let place = error.isOfPath ? error.place : nil
        return Finding(.refused(error), at: place.map(Finding.Place.path) ?? .bridge)
    }

    /// What SQLite needs beside the databases of the state, and more.
    private static let leastStateRoom: Int64 = 1 << 20

    private static func paths(_ bridge: BridgeObservation) -> [Finding] {
        let paths = bridge.paths
        var findings = paths.problems.map(refused)
        guard let state = paths.state else { return findings }
        if paths.problems.isEmpty, let room = bridge.stateFileSystem?.room, room < leastStateRoom {
            findings.append(Finding(.state(.noRoom), at: .path(state)))
        }
        if paths.othersRights != 0 {
            findings.append(Finding(.state(.othersRights(paths.othersRights)), at: .path(state)))
        }
        if paths.isJournalDamaged {
            findings.append(Finding(.state(.damagedJournal), at: .path(state + "/journal.sqlite")))
        }
        return findings
    }

    private static func containers(_ bridge: BridgeObservation) -> [Finding] {
        Side.allCases.flatMap { side -> [Finding] in
            guard let container = bridge.containers[side], let path = bridge.paths.containers[side] else {
                return []
            }
            let whole = fileSystem(of: container, bridge).map { Finding(.container($0), at: .path(path)) }
            let directories = container.unreadable.map { directory in
                let place = directory.path.map { Finding.Place.container(side, $0.description) }
                return Finding(.container(.unreadable(errno: directory.errno)), at: place ?? .path(path))
            }
            return whole + directories + documents(of: container, side, bridge)
        }
    }

    private static func fileSystem(
        of container: ContainerObservation,
        _ bridge: BridgeObservation
    ) -> [Finding.Container] {
        var findings: [Finding.Container] = []
        let facts = container.fileSystem
        if facts?.isReadOnly == true {
            findings.append(.readOnly(fileSystem: facts?.type))
        } else if !container.isWritable {
            findings.append(.unwritable)
        } else if facts.map({ $0.room < leastRoom }) == true {
            findings.append(.noRoom)
        }
        if container.mode.letsOthersReplace { findings.append(.exposed(container.mode)) }
        if let type = facts?.type {
            let isWatched = bridge.watching != .asConfigured
            if isWatched, SharedFileSystem.isShared(type) {
                findings.append(.remoteChanges(fileSystem: type))
            }
            if isWatched, type == "overlay" { findings.append(.layers) }
            if bridge.exchanges, SharedFileSystem.cannotExchange(type) {
                findings.append(.noExchange(fileSystem: type))
            }
        }
        if container.isIncomplete { findings.append(.incomplete(directories: container.directories)) }
        return findings
    }

    /// Enough for a document of the usual limit beside the one that it replaces.
    private static let leastRoom: Int64 = 16 << 20

    // MARK: Stores

    private static func stores(_ bridge: BridgeObservation) -> [Finding] {
        // Several documents may be in one file.
        var seen: Set<Finding> = []
        return bridge.stores.flatMap { StoreDiagnosis(of: $0, in: bridge).findings }
            .filter { seen.insert($0).inserted }
    }

    // MARK: The profile

    private static func profile(_ profile: ProfileObservation) -> [Finding] {
        let error = profile.error.map { error in
            Finding(.profile(.invalid(error)), at: .profile(line: error.line, file: error.file))
        }
        let stores = profile.warnings.filter(\.isOfStore).map {
            Finding(.profile(.store($0.finding)), at: .profile(line: $0.line, file: $0.file))
        }
        let others = profile.isBuiltIn ? 0 : profile.warnings.count { !$0.isOfStore }
        let versions = Finding(
            .profile(.versions(others, profile: profile.name)),
            at: .path(profile.warnings.first?.file ?? profile.name)
        )
        return [error].compactMap(\.self) + stores + (others == 0 ? [] : [versions])
    }
}

extension UInt32 {
    /// Whether a directory with these permission bits lets every user replace its files. With the sticky bit,
    /// only the owner of a file does.
    var letsOthersReplace: Bool { self & 0o1002 == 0o002 }
}

extension ProfileObservation.Warning {
    /// Warnings about changes between versions are left to `profile lint`.
    fileprivate var isOfStore: Bool { if case .store = finding.reason { true } else { false } }
}

/// File systems on which the bridge has less to go by, by the names of their drivers.
private enum SharedFileSystem {
    /// Other machines, or the host of a virtual one, change files without an event here.
    static func isShared(_ type: String) -> Bool {
        names.contains(type) || type.hasPrefix("fuse.")
    }

    /// The driver has no exchange of two names.
    static func cannotExchange(_ type: String) -> Bool { withoutExchange.contains(type) }

    private static let withoutExchange: Set = ["9p", "cifs", "nfs", "nfs4", "smb3"]
    private static let names = withoutExchange.union([
        "afs", "beegfs", "ceph", "fuse", "gfs2", "glusterfs", "lustre", "ocfs2", "prl_fs", "vboxsf",
        "virtiofs",
        "vmhgfs",
    ])
}
