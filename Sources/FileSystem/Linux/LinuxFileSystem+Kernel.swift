internal import CLinux
internal import Glibc

/// The features of the running kernel.
enum KernelFacts {
    /// The file systems with multigrain timestamps: a change gets a distinct timestamp if the file was
    /// queried since the last one. Identified by the driver's name: `ext4` mounted as `ext3` has them and
    /// `ext2` does not, though all three share one magic number.
    private static let multigrain: Set<String> = ["btrfs", "ext4", "tmpfs", "xfs"]
    private static let multigrainSince = (6, 13)
    /// A tick of the slowest clock that kernels are built with (100 Hz).
    static let tick = Duration.milliseconds(10)

    /// True only where it is certain.
    static func hasFineTimestamps(onMounts mounts: [UInt64?]) -> Bool {
        guard let version = version(ofRelease: release), version >= multigrainSince else { return false }
        let types = fileSystemTypes(mountInfo)
        return mounts.allSatisfy { mount in
            mount.flatMap { types[$0] }.map(multigrain.contains) ?? false
        }
    }

    /// `6.18.44-generic` is (6, 18).
    static func version(ofRelease release: String) -> (Int, Int)? {
        let parts = release.split { !$0.isNumber }
        guard parts.count >= 2, let major = Int(parts[0]), let minor = Int(parts[1]) else { return nil }
        return (major, minor)
    }

    /// By mount number, from lines such as `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw`.
    static func fileSystemTypes(_ mountInfo: String) -> [UInt64: String] {
        var types: [UInt64: String] = [:]
        for line in mountInfo.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard let first = fields.first, let mount = UInt64(first),
                let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count
            else { continue }
            types[mount] = String(fields[dash + 1])
        }
        return types
    }

    static func fileSystemType(ofMount mount: UInt64) -> String? { fileSystemTypes(mountInfo)[mount] }

    /// Whether something is mounted somewhere below a directory, given its real path.
    static func hasMounts(beneath directory: String, _ mountInfo: String = mountInfo) -> Bool {
        let prefix = escaped(directory) + Array("/".utf8)
        return mountInfo.split(separator: "\n").contains { line in
            let fields = line.split(separator: " ")
            return fields.count > 4 && fields[4].utf8.starts(with: prefix)
        }
    }

    /// A path as mountinfo writes it.
    static func escaped(_ path: String) -> [UInt8] {
        let escapes: [UInt8: String] = [9: "\\011", 10: "\\012", 32: "\\040", 92: "\\134"]
        return path.utf8.flatMap { escapes[$0].map { Array($0.utf8) } ?? [$0] }
    }

    private static var release: String {
        (try? small("/proc/sys/kernel/osrelease")) ?? ""
    }

    static var mountInfo: String {
        (try? small("/proc/self/mountinfo")) ?? ""
    }

    /// Reads a file in `/proc`, which reports no size.
    static func small(_ path: String) throws(Errno) -> String {
        let descriptor = try retried { unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC) }
        defer { _ = Glibc.close(descriptor) }
        var bytes: [UInt8] = []
        while true {
            let count = try unsafe withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) {
                buffer throws(Errno) in
                let count = try retried { unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
                unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                return count
            }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
        }
    }
}
