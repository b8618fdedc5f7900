/// The three directories that the package accesses.
package enum Root: String, CaseIterable, Sendable {
    case app, group
    /// The bridge's own directory: journal, trash, conflict copies. Never inside a container.
    case state

    package init(_ side: Side) { self = side == .app ? .app : .group }
}

/// A file or directory below a root, which its path cannot leave.
package struct Location: Hashable, Sendable, CustomStringConvertible {
    package let root: Root
    package let path: RelativePath

    package init(_ root: Root, _ path: RelativePath) {
        self.root = root
        self.path = path
    }

    package init(_ side: Side, _ path: RelativePath) { self.init(Root(side), path) }

    package var directory: Directory { Directory(root, path.directory) }
    package var description: String { "\(root.rawValue):\(path)" }
}

/// A directory: a root, or one below it.
package struct Directory: Hashable, Sendable, CustomStringConvertible {
    package let root: Root
    /// `nil` is the root.
    package let path: RelativePath?

    package init(_ root: Root, _ path: RelativePath? = nil) {
        self.root = root
        self.path = path
    }

    package var description: String { "\(root.rawValue):\(path?.description ?? ".")" }
}

extension Location {
    package var side: Side? {
        switch root {
        case .app: .app
        case .group: .group
        case .state: nil
        }
    }
}
