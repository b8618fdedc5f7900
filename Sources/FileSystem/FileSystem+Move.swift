package import Model

/// Acts of more than one call, which several rooms need.
extension FileSystem {
    /// What was written to it and closed.
    package func sync(_ file: Location) throws(FileError) {
        let handle = try open(file)
        defer { close(handle) }
        try sync(handle)
    }

    /// Gives a file a name that must be free; by a link where the file system has no exclusive rename (NFS).
    package func move(_ from: Location, to: Location) throws(FileError) {
        do {
            try rename(from, to: to, .exclusive)
        } catch .unsupported(.rename, _) {
            try link(from, to: to)
            try remove(from)
        }
    }
}
