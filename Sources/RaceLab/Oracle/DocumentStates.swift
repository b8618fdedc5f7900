import CLinux
import Glibc
import Model

/// The documents of two containers, each with the kernel's signs of a change. No document is opened for it.
struct DocumentStates {
    private struct Sign: Hashable {
        var inode: UInt64
        var size: Int64
        var changed: [Int]
    }

    private var signs: [Location: Sign] = [:]
    private let containers: BothSides<String>

    init(_ containers: BothSides<String>, isDocument: (RelativePath) -> Bool) {
        self.containers = containers
        for side in Side.allCases {
            for file in RealTree.files(beneath: containers[side]) {
                let name = String(file.dropFirst(containers[side].utf8.count + 1))
                guard let path = RelativePath(name), isDocument(path), let sign = Self.sign(file) else {
                    continue
                }
                signs[Location(side, path)] = sign
            }
        }
    }

    private static func sign(_ path: String) -> Sign? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        let times = [status.st_mtim, status.st_ctim].flatMap { [$0.tv_sec, $0.tv_nsec] }
        return Sign(inode: UInt64(status.st_ino), size: Int64(status.st_size), changed: times)
    }

    /// The documents that are not as they were then, in order.
    ///
    /// - Parameter holds: whether a document is known to have had these bytes, or none, then.
    func changed(since then: DocumentStates, holds: (Location, [UInt8]?) -> Bool) -> [Location] {
        Set(signs.keys).union(then.signs.keys).filter { file in
            signs[file] != then.signs[file] && !holds(file, content(file))
        }
        .sorted { $0.description < $1.description }
    }

    private func content(_ file: Location) -> [UInt8]? {
        file.side.flatMap { RealTree.read("\(containers[$0])/\(file.path)") }
    }
}
