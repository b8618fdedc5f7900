internal import Glibc
package import Model

extension LinuxFileSystem {
    package func list(_ directory: Directory) throws(FileError) -> [DirectoryEntry] {
        let root = root(directory.root).descriptor
        do {
            // Opened again even for a root: reading a directory moves an offset that all users of a
            // descriptor share.
            let path = directory.path?.description ?? "."
            let opened = try open(path, beneath: root, O_RDONLY | O_DIRECTORY)
            return try Descriptor.entries(of: opened)
        } catch {
            throw FileError(directory: error, .list, directory)
        }
    }
}
