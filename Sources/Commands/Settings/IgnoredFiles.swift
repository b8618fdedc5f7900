import BridgeRuntime
import Documents
import FileSystem
import Model
import StoreReplica

extension IgnoredFile {
    /// The files of a bridge's containers that are no documents, in order. Their directories are listed, and
    /// nothing is opened.
    static func all(
        of status: BridgeStatus,
        _ settings: BridgeSettings,
        _ profile: Profile?
    ) -> [IgnoredFile] {
        Side.allCases.flatMap { side -> [IgnoredFile] in
            let container = side == .app ? status.app : status.group
            let layout = StoreLayout(profile, on: side, of: settings.stores[side])
            guard let files = try? LinuxFileSystem(app: container, group: container, state: container) else {
                return []
            }
            return names(in: files, Root(side), layout).sorted().compactMap { name in
                Reason(name, profile, status.filters ?? []).map {
                    IgnoredFile(side: side, name: name, reason: $0)
                }
            }
        }
    }

    /// Of all files that are in no store, and of hidden directories.
    private static func names(in files: LinuxFileSystem, _ root: Root, _ layout: StoreLayout) -> [String] {
        var names: [String] = []
        var rest: [RelativePath?] = [nil]
        while let next = rest.popLast() {
            for entry in (try? files.list(Directory(root, next))) ?? [] {
                guard let name = String(validating: entry.bytes, as: UTF8.self),
                    let path = RelativePath.child(of: next, name), !name.hasPrefix(ownPrefix)
                else { continue }
                let kind = entry.kind ?? (try? files.status(of: Location(root, path)).kind)
                if kind == .directory, !name.hasPrefix(".") {
                    rest.append(path)
                } else if layout.documents(in: path) == nil {
                    names.append(path.description)
                }
            }
        }
        return names
    }

    /// The bridge's own files.
    private static let ownPrefix = ".widgetbridge"
}
