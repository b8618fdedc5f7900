package import FileSystem
import Glibc
package import Model

extension ContainerObservation {
    /// The most directories that are looked at.
    private static let mostDirectories = 100_000

    /// Looks at a container with `stat` and by listing its directories: no file is opened.
    ///
    /// - Parameters:
    ///   - path: its real path.
    ///   - isDocument: whether a file of this name is a document.
    package init(
        at path: String,
        _ root: Root,
        in files: some FileReader,
        isDocument: (RelativePath) -> Bool
    ) {
        self.init(
            fileSystem: FileSystemFacts(of: path),
            isWritable: unsafe access(path, W_OK | X_OK) == 0
        )
        mode = (try? files.status(of: Directory(root)).mode) ?? 0
        var rest: [RelativePath?] = [nil]
        while let next = rest.popLast() {
            if directories == Self.mostDirectories {
                isIncomplete = true
                return
            }
            directories += 1
            let entries: [DirectoryEntry]
            do throws(FileError) {
                entries = try files.list(Directory(root, next))
            } catch {
                add(error, at: next)
                continue
            }
            for entry in entries {
                // Any other name cannot be a document's.
                guard let name = String(validating: entry.bytes, as: UTF8.self),
                    let child = RelativePath.child(of: next, name)
                else { continue }
                let status = entry.kind == .directory ? nil : try? files.status(of: Location(root, child))
                guard let status, status.kind != .directory else {
                    if entry.kind == .directory || status != nil { rest.append(child) }
                    continue
                }
                if isDocument(child) { documents.append(DocumentObservation(child, status, beneath: path)) }
            }
        }
        documents.sort { $0.path < $1.path }
    }

    /// A directory that is gone by now is none.
    private mutating func add(_ error: FileError, at directory: RelativePath?) {
        guard case .directory(let errno, _, _) = error else { return }
        unreadable.append(UnreadableDirectory(directory, errno: errno))
    }
}

extension DocumentObservation {
    init(_ path: RelativePath, _ status: FileStatus, beneath container: String) {
        let isReadable = unsafe access("\(container)/\(path)", R_OK) == 0 || errno == ENOENT
        self.init(
            path,
            kind: status.kind,
            size: status.signature.size,
            isReadable: isReadable,
            isMounted: status.isMountPoint
        )
        file = status.kind == .regular ? status.signature : nil
        mode = status.mode
    }
}
