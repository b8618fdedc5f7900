import BridgeRuntime
import Model

/// Documents that are not what their names suggest, or not two files.
extension Diagnosis {
    /// A name that only looks like one of the profile: what the app means to sync is ignored, or synced as a
    /// document without a rule.
    static func lookalikes(_ bridge: BridgeObservation) -> [Finding] {
        Side.allCases.flatMap { side in
            (bridge.containers[side]?.documents ?? []).compactMap { document in
                document.looksLike.map {
                    Finding(.document(.looksLike($0)), at: .container(side, document.path.description))
                }
            }
            .prefix(mostAlike)
        }
    }

    /// Hard links in both containers to one file: what a program writes into it changes both sides at once.
    static func linkedDocuments(_ bridge: BridgeObservation) -> [Finding] {
        let app = bridge.containers.app?.documents ?? []
        let files = Dictionary(app.map { ($0.path, $0.file) }) { first, _ in first }
        let linked = (bridge.containers.group?.documents ?? []).filter { document in
            document.file.map { files[document.path] == $0 } ?? false
        }
        let findings = linked.prefix(mostAlike).map {
            Finding(.document(.linked), at: .container(.group, $0.path.description))
        }
        guard linked.count > mostAlike, let path = bridge.paths.containers.group else { return findings }
        return findings + [Finding(.document(.moreLinked(linked.count - mostAlike)), at: .path(path))]
    }
}
