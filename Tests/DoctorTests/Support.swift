import BridgeRuntime
import Documents
import FileSystem
import Foundation
import Model

@testable import Doctor

/// A bridge of which nothing is wrong, between two directories on the disk.
func observed(_ change: (inout BridgeObservation) throws -> Void = { _ in }) throws -> BridgeObservation {
    let root = "/tmp/wb-doctor-\(UUID().uuidString.prefix(8))"
    defer { try? FileManager.default.removeItem(atPath: root) }
    for side in Side.allCases {
        try FileManager.default.createDirectory(
            atPath: "\(root)/\(side.rawValue)",
            withIntermediateDirectories: true
        )
    }
    let settings = BridgeSettings(app: "\(root)/app", group: "\(root)/group", state: "\(root)/state")
    var observation = BridgeObservation(paths: ExaminedPaths(settings))
    observation.paths.containers = BothSides(app: "/c/app", group: "/c/group")
    observation.paths.state = "/c/state"
    for side in Side.allCases {
        observation.containers[side] = ContainerObservation(
            fileSystem: .init(type: "ext4", isReadOnly: false, room: 1 << 30),
            isWritable: true
        )
    }
    observation.watching = .tried(nil)
    try change(&observation)
    return observation
}

/// What is found in such a bridge after a change.
func findings(_ change: (inout BridgeObservation) throws -> Void = { _ in }) throws -> [Finding] {
    Diagnosis(of: try observed(change)).findings
}

extension BridgeStatus {
    static func of(_ state: State, _ reason: Reported<Reason>? = nil, documents: [Document] = []) -> Self {
        BridgeStatus(
            state: state,
            reason: reason,
            watch: .inotify,
            commit: "exchange",
            durability: "batch",
            counters: Counters(),
            app: "/c/app",
            group: "/c/group",
            stateDirectory: "/c/state",
            process: 7,
            instance: "1",
            documents: documents
        )
    }
}
