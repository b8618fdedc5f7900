/// Directories of a container, each with everything below it.
package struct Subtrees: Sendable, Hashable {
    package private(set) var directories: Set<RelativePath> = []
    /// The container itself is one of them.
    package private(set) var isWhole = false

    package init(_ directories: [RelativePath?] = []) {
        for directory in directories { insert(directory) }
    }

    /// `nil` is the container.
    package mutating func insert(_ directory: RelativePath?) {
        if let directory { directories.insert(directory) } else { isWhole = true }
    }

    package var isEmpty: Bool { directories.isEmpty && !isWhole }

    /// The directories that are in none of the others: listing these lists all.
    package var outermost: [RelativePath?] {
        isWhole ? [nil] : directories.filter { !isBelow($0) }.sorted()
    }

    /// Whether the path is one of the directories, or in one.
    package func contains(_ path: RelativePath) -> Bool {
        isWhole || directories.contains(path) || isBelow(path)
    }

    private func isBelow(_ path: RelativePath) -> Bool {
        var above = path.directory
        while let directory = above {
            if directories.contains(directory) { return true }
            above = directory.directory
        }
        return false
    }
}
