import Documents
import Model
import StateStore

/// The version that each document of each side is pinned to by a migration, whatever version its program
/// saves. The journal keeps them.
struct VersionPins: Sendable, Hashable {
    static let key = "versionPins"

    private var pins: [RelativePath: BothSides<Int?>] = [:]

    init() {}

    subscript(path: RelativePath, side: Side) -> Int? {
        get { pins[path]?[side] }
        set {
            pins[path, default: BothSides(app: nil, group: nil)][side] = newValue
            if pins[path]?.app == nil, pins[path]?.group == nil { pins[path] = nil }
        }
    }

    /// One line per document: the app's version, the group's version, and the path.
    var text: String {
        pins.sorted { $0.key < $1.key }.map { path, versions in
            let numbers = [versions.app, versions.group].map { $0.map { "\($0)" } ?? "-" }
            return numbers.joined(separator: "\t") + "\t\(path.description.asField)\n"
        }
        .joined()
    }

    init(text: String) {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, let path = RelativePath(String(field: Array(fields[2].utf8)[...])) else {
                continue
            }
            pins[path] = BothSides(app: Int(fields[0]), group: Int(fields[1]))
        }
    }
}

extension Engine {
    /// Pins the sides, once the journal has recorded it.
    mutating func pin(_ versions: VersionPins) throws(MigrationFailure) {
        do { try rules.pin(versions, in: &journal) } catch { throw .journal(error) }
    }
}
