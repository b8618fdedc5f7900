internal import CLinux
internal import Glibc
package import Model

extension LinuxFileSystem {
    package func foldsCase(_ directory: Directory) throws(FileError) -> Bool {
        let path = directory.path?.description ?? "."
        do {
            let opened = try open(path, beneath: root(directory.root).descriptor, O_RDONLY | O_DIRECTORY)
            defer { _ = Glibc.close(opened) }
            return linux_folds_case(opened) == 1
        } catch {
            throw FileError(directory: error, .stat, directory)
        }
    }
}
