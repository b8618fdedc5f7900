package import Model

extension FileSystem {
    /// The content of a file, up to `limit` bytes.
    package func contents(of file: Location, limit: Int) throws(FileError) -> [UInt8] {
        let handle = try open(file)
        defer { close(handle) }
        return try read(handle, limit: limit)
    }

    /// Creates a file with these bytes. After a failure, a partial file may remain.
    package func create(_ file: Location, holding bytes: [UInt8], synced: Bool) throws(FileError) {
        let handle = try create(file)
        defer { close(handle) }
        if !bytes.isEmpty { try write(bytes, to: handle) }
        if synced { try sync(handle) }
    }

    package func setAttribute(_ name: String, at file: Location, to value: [UInt8]) throws(FileError) {
        let handle = try open(file)
        defer { close(handle) }
        try setAttribute(name, of: handle, to: value)
    }

    /// The signature of a file that a program has open for writing; `nil` if none has, or if that is unknown.
    package func signature(ofFileBeingWritten file: Location) -> Signature? {
        guard let handle = try? open(file) else { return nil }
        defer { close(handle) }
        guard isOpenForWriting(handle) == true else { return nil }
        return try? status(of: handle).signature
    }
}
