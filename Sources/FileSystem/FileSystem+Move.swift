package import Model

/// Operations of more than one call that several modules need.
extension FileSystem {
    /// Syncs what was written to a file that is closed now.
    package func sync(_ file: Location) throws(FileError) {
        let handle = try open(file)
        defer { close(handle) }
        try sync(handle)
    }

    /// Renames a file to a free name; through a link where the file system has no exclusive rename (NFS), and
    /// where it has no links either (exFAT by FUSE) after a check that the name is free.
    ///
    /// - Returns: Whether the file system has an exclusive rename.
    @discardableResult
    package func move(_ from: Location, to: Location) throws(FileError) -> Bool {
        do {
            try rename(from, to: to, .exclusive)
            return true
        } catch .unsupported(.rename, _) {
            do {
                try link(from, to: to)
                try remove(from)
            } catch .unsupported(.link, _) {
                if try isTaken(to) { throw .exists(to) }
                try rename(from, to: to, .replace)
            }
            return false
        }
    }

    private func isTaken(_ name: Location) throws(FileError) -> Bool {
        do { _ = try status(of: name) } catch .missing { return false }
        return true
    }
}
