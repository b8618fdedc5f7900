package import FileSystem
package import Model

/// The bridge's own directory, apart from the journal: what it keeps of documents.
package struct StateDirectory {
    let files: any FileSystem

    /// `files`: the state directory is one of its roots, and what goes to the trash lies beneath another.
    package init(_ files: any FileSystem) { self.files = files }

    /// What a file in it holds, up to `limit` bytes.
    package func contents(of file: Location, limit: Int) throws(FileError) -> [UInt8] {
        try files.contents(of: file, limit: limit)
    }

    /// A file that was put aside, and of which nothing has to be kept.
    package func remove(_ aside: Location) throws(FileError) { try files.remove(aside) }
}
