package import DatabaseStore
import FileSystem
import Model

/// A database in a bridge's state directory. Opening it could change it, so a copy is opened.
package struct StateDatabase {
    package let path: String
    /// `nil` if it is no file, is larger than the limit, or cannot be copied.
    package let copy: DatabaseCopy?

    /// A larger one is not copied to be read, in bytes.
    package static let largestCopy = 256 << 20

    /// `nil` if there is none, or that cannot be found out.
    ///
    /// - Parameter limit: the size of the largest one that is copied, in bytes.
    package init?(_ name: String, in state: String, limit: Int = Self.largestCopy) {
        guard let place = RelativePath(name).map({ Location(Root.state, $0) }),
            let source = try? LinuxFileSystem(app: state, group: state, state: state),
            let status = try? source.status(of: place)
        else { return nil }
        path = "\(state)/\(name)"
        copy =
            status.kind == .regular && status.signature.size <= limit
            ? try? DatabaseCopy(of: place, at: path, in: source) : nil
    }
}
