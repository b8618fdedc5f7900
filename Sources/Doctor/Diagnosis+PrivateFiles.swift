import BridgeRuntime
import Documents
import FileSystem
import Model

/// Files that cross to the other container, and that an app may keep for itself.
extension Diagnosis {
    /// By the names alone: no document is opened.
    static func privateFiles(_ bridge: BridgeObservation) -> [Finding] {
        Side.allCases.flatMap { side -> [Finding] in
            let stores = Set(bridge.stores.filter { $0.side == side }.map(\.store.file))
            let files = (bridge.containers[side]?.documents ?? []).filter {
                !$0.isNamed && !stores.contains($0.path.description) && PrivateWords.isIn($0.path.description)
            }
            let findings = files.prefix(mostAlike).map {
                Finding(.document(.looksPrivate), at: .container(side, $0.path.description))
            }
            guard files.count > mostAlike, let path = bridge.paths.containers[side] else { return findings }
            return findings + [Finding(.document(.morePrivate(files.count - mostAlike)), at: .path(path))]
        }
    }
}

private enum PrivateWords {
    /// Also the directories in which React Native's AsyncStorage keeps all of an app's values.
    private static let words = [
        "session", "token", "password", "passwd", "secret", "keychain", "credential", "asyncstorage",
        "asynclocalstorage",
    ]

    static func isIn(_ path: String) -> Bool {
        let name = path.lowercased()
        return words.contains { name.contains($0) }
    }
}
