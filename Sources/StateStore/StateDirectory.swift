package import FileSystem
package import Model

/// The state directory without the journal: the documents that the bridge keeps.
package struct StateDirectory {
    let files: any FileSystem

    /// `files`: one of its roots is the state directory; files that go to the trash are below another.
    package init(_ files: any FileSystem) { self.files = files }

    /// The content of a file in it, up to `limit` bytes.
    package func contents(of file: Location, limit: Int) throws(FileError) -> [UInt8] {
        try files.contents(of: file, limit: limit)
    }

    /// Removes a displaced file whose content need not be kept.
    package func remove(_ aside: Location) throws(FileError) { try files.remove(aside) }
}
