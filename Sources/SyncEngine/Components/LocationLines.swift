import Model

/// How the journal stores locations in the two containers.
extension Set<Location> {
    /// One line each: the side and the path.
    init(lines text: String) {
        self = []
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
            guard fields.count == 2, let place = Location(side: fields[0], path: fields[1]) else { continue }
            insert(place)
        }
    }

    var lines: String {
        sorted { ($0.root.rawValue, $0.path) < ($1.root.rawValue, $1.path) }
            .map { "\($0.asFields)\n" }.joined()
    }
}
