package import FileSystem
package import Model

/// Directories whose names are case-insensitive. There, opening `a.json` finds `A.json`; treating both as one
/// document would merge them and overwrite one. So a name with another spelling counts as absent, and nothing
/// is published beside it.
///
/// Caches which directories are case-insensitive. It depends only on the file system, which can be asked only
/// in a directory that has an entry.
package struct CaseFolding: Sendable {
    private var folding: Set<Directory> = []
    private var empty: Set<Directory> = []
    /// Where a new file is listed in small letters, whatever its name was.
    private var lowering: Set<Directory> = []

    package init() {}

    /// The directory was listed.
    package mutating func record(_ directory: Directory, isEmpty: Bool = false, in files: any FileSystem) {
        if (try? files.foldsCase(directory)) == true {
            folding.insert(directory)
        } else if !folding.isEmpty {
            folding.remove(directory)
        }
        if isEmpty { empty.insert(directory) } else if !empty.isEmpty { empty.remove(directory) }
    }

    /// The file was created: a directory that was empty can be asked now.
    package mutating func record(created file: Location, in files: any FileSystem) {
        guard !empty.isEmpty else { return }
        var path: RelativePath? = file.path
        while let inner = path {
            let directory = Directory(file.root, inner.directory)
            if empty.contains(directory) { record(directory, in: files) }
            path = inner.directory
        }
    }

    /// Whether the file that was just created is listed under another name: to the bridge, it would seem to
    /// be gone at once.
    package mutating func loses(caseOf file: Location, in files: any FileSystem) -> Bool {
        guard namesake(of: file, in: files) != nil else { return false }
        lowering.insert(file.directory)
        return true
    }

    /// The name that this name leads to, or would lead to, if the two are spelled differently.
    package func namesake(of file: Location, in files: any FileSystem) -> RelativePath? {
        guard !folding.isEmpty, isFolding(file) else { return nil }
        guard (try? files.status(of: file)) != nil else {
            let listed = lowering.contains(file.directory) ? file.path.description.lowercased() : nil
            return listed.flatMap(RelativePath.init).flatMap { $0 == file.path ? nil : $0 }
        }
        var found: RelativePath?
        for name in file.path.description.split(separator: "/") {
            let above = Directory(file.root, found)
            guard let asked = RelativePath.child(of: found, String(name)),
                let spelled = Self.spelling(of: asked, in: above, files)
            else { return nil }
            found = spelled
        }
        return found == file.path ? nil : found
    }

    /// A new directory inherits the setting, even before it is queried.
    private func isFolding(_ file: Location) -> Bool {
        var directory: RelativePath? = file.path.directory
        while let path = directory {
            if folding.contains(Directory(file.root, path)) { return true }
            directory = path.directory
        }
        return folding.contains(Directory(file.root))
    }

    private static func spelling(
        of path: RelativePath,
        in directory: Directory,
        _ files: any FileSystem
    ) -> RelativePath? {
        guard let entries = try? files.list(directory) else { return nil }
        let names = entries.compactMap { String(validating: $0.bytes, as: UTF8.self) }
        if names.contains(path.name) { return path }
        let paths = names.compactMap { RelativePath.child(of: directory.path, $0) }
        // Wherever case is folded, that of ASCII is.
        if let same = paths.first(where: { $0.name.foldsASCII(to: path.name) }) { return same }
        // The rules for other letters differ, so the files are compared: the same file is the same name.
        guard let asked = identity(Location(directory.root, path), files) else { return nil }
        let same = paths.first { identity(Location(directory.root, $0), files) == asked }
        // Some file systems number a file anew for each name that it is looked up by.
        let lowercased = path.name.lowercased()
        return same ?? paths.first { $0.name.lowercased() == lowercased }
    }

    private static func identity(_ file: Location, _ files: any FileSystem) -> [UInt64]? {
        guard let signature = try? files.status(of: file).signature else { return nil }
        return [signature.device, signature.inode]
    }
}

extension String {
    /// Whether the texts have the same bytes but for the case of letters from A to Z.
    fileprivate func foldsASCII(to other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }
}

extension UInt8 {
    fileprivate var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
