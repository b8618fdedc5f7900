import FileSystem
import Model

/// Where the directories of a bridge are. What is not known is not judged.
struct BridgePlaces {
    var containers: BothSides<String?>
    var state: String?

    /// What keeps a bridge from using these directories together; the most telling reason first.
    func problems(_ settings: BridgeSettings, needsSocket: Bool) -> [BridgeError] {
        var problems: [BridgeError] = []
        let mounts = MountTable()
        /// Both are one directory, or one is inside the other.
        func overlap(_ one: String, _ other: String) -> Bool {
            one == other || BridgePaths.isInside(one, other) || BridgePaths.isInside(other, one)
                || mounts.overlap(one, other)
        }
        if let app = containers.app, let group = containers.group {
            if overlap(app, group) { problems.append(.nestedContainers(app: app, group: group)) }
            if let state, let other = try? settings.stateOfSwapped(for: state) {
                problems.append(.swappedContainers(app: app, group: group, state: other))
            }
        }
        guard let state else { return problems }
        for case .some(let container) in [containers.app, containers.group]
        where overlap(state, container) {
            problems.append(.stateInsideContainer(state: state, container: container))
        }
        let paths = BridgePaths(app: "", group: "", state: state)
        if needsSocket, paths.socket.utf8.count > BridgePaths.longestSocketPath {
            problems.append(.socketPathTooLong(paths.socket, limit: BridgePaths.longestSocketPath))
        }
        return problems
    }
}
