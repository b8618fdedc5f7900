package import Model

extension FileSystem {
    /// A digest of everything in a directory: the names and the contents. Equal trees have equal digests.
    /// What cannot be read counts as empty.
    package func treeDigest(of roots: [Root], limit: Int) throws(FileError) -> Digest {
        var lines: [UInt8] = []
        for root in roots {
            var waiting = [Directory(root)]
            while let directory = waiting.popLast() {
                for entry in try list(directory) {
                    guard let name = String(validating: entry.bytes, as: UTF8.self),
                        let path = RelativePath.child(of: directory.path, name)
                    else {
                        lines += entry.bytes + [0]
                        continue
                    }
                    let file = Location(root, path)
                    let kind: FileKind
                    if let known = entry.kind { kind = known } else { kind = try status(of: file).kind }
                    switch kind {
                    case .directory: waiting.append(Directory(root, path))
                    case .regular: lines += digestOfContent(file, limit: limit)
                    case .symbolicLink, .special: break
                    }
                    lines += Array("\(file)".utf8) + [0]
                }
            }
        }
        return Digest(of: lines)
    }

    package func treeDigest(of files: [Location], limit: Int) -> Digest {
        Digest(of: files.flatMap { digestOfContent($0, limit: limit) + Array("\($0)".utf8) + [0] })
    }

    private func digestOfContent(_ file: Location, limit: Int) -> [UInt8] {
        guard let handle = try? open(file) else { return [] }
        defer { close(handle) }
        guard let bytes = try? read(handle, limit: limit) else { return [] }
        return Digest(of: bytes).bytes
    }
}
