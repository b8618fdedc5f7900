package import Model

extension FileSystem {
    /// What a file holds, up to `limit` bytes.
    package func contents(of file: Location, limit: Int) throws(FileError) -> [UInt8] {
        let handle = try open(file)
        defer { close(handle) }
        return try read(handle, limit: limit)
    }

    /// How a file looks that somebody has open for writing; `nil` where nobody has, or it cannot be told.
    package func signature(ofFileBeingWritten file: Location) -> Signature? {
        guard let handle = try? open(file) else { return nil }
        defer { close(handle) }
        guard isOpenForWriting(handle) == true else { return nil }
        return try? status(of: handle).signature
    }
}
