import Model

/// How the journal stores locations in the two containers.
extension Set<Location> {
    /// One line each: the side and the path.
    init(lines text: String) {
        self = []
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
            guard fields.count == 2, let side = Side(rawValue: String(fields[0])),
                let path = RelativePath(String(field: Array(fields[1].utf8)[...]))
            else { continue }
            insert(Location(side, path))
        }
    }

    var lines: String {
        sorted { ($0.root.rawValue, $0.path) < ($1.root.rawValue, $1.path) }
            .compactMap { place in place.side.map { "\($0.rawValue)\t\(place.path.description.asField)\n" } }
            .joined()
    }
}
