package import Model

/// Operations of more than one call that several modules need.
extension FileSystem {
    /// Syncs what was written to a file that is closed now.
    package func sync(_ file: Location) throws(FileError) {
        let handle = try open(file)
        defer { close(handle) }
        try sync(handle)
    }

    /// Renames a file to a free name; through a link where the file system has no exclusive rename (NFS).
    package func move(_ from: Location, to: Location) throws(FileError) {
        do {
            try rename(from, to: to, .exclusive)
        } catch .unsupported(.rename, _) {
            try link(from, to: to)
            try remove(from)
        }
    }
}
