/// Where directories really are. A bind mount shows a directory under another path.
package struct MountTable: Sendable {
    /// A directory of a file system. All paths here end with `/`, and are written as in mountinfo.
    private struct Place: Sendable {
        var device: [UInt8]
        var path: [UInt8]
    }

    private var mounts: [(point: [UInt8], place: Place)] = []

    /// The mount table of this process.
    package init() { self.init(KernelFacts.mountInfo) }

    /// From lines such as `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw`.
    package init(_ mountInfo: String) {
        for line in mountInfo.split(separator: "\n") {
            let fields = line.split(separator: " ", maxSplits: 5).map { Array($0.utf8) }
            guard fields.count == 6 else { continue }
            let place = Place(device: fields[2], path: Self.ended(fields[3]))
            mounts.append((Self.ended(fields[4]), place))
        }
    }

    /// Whether one directory is the other or inside it, by their real paths or by a mount.
    package func overlap(_ one: String, _ other: String) -> Bool {
        let others = places(beneath: other)
        return places(beneath: one).contains { place in
            others.contains { other in
                place.device == other.device
                    && (place.path.starts(with: other.path) || other.path.starts(with: place.path))
            }
        }
    }

    /// The directory, and those that are mounted inside it.
    private func places(beneath directory: String) -> [Place] {
        let path = Self.ended(KernelFacts.escaped(directory))
        // Of several mounts at one point, the last one is seen.
        let around = mounts.filter { path.starts(with: $0.point) }
        let inside = mounts.filter { $0.point.starts(with: path) && $0.point.count > path.count }.map(\.place)
        guard
            let mount = around.last(where: { one in around.allSatisfy { $0.point.count <= one.point.count } })
        else { return inside }
        var own = mount.place
        own.path += path.dropFirst(mount.point.count)
        return [own] + inside
    }

    private static func ended(_ path: [UInt8]) -> [UInt8] {
        path.last == UInt8(ascii: "/") ? path : path + [UInt8(ascii: "/")]
    }
}
