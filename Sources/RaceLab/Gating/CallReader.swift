import CLinux
import Glibc
import Model
import Processes

/// Finds out which file a waiting system call is about.
struct CallReader {
    /// What is known of a call. One without `call` leads elsewhere, and passes at once.
    struct Reading {
        var call: GatedCall?
        /// How long it wants to sleep.
        var sleep: Duration?
        var escape: Escape?
    }

    /// What it does past the gates.
    enum Escape {
        case ring
        case otherCalls
        case mapping
        case setUserID(String)
        case unreadable
    }

    private let containers: ContainerPaths

    init(_ containers: ContainerPaths) { self.containers = containers }

    func read(_ waiting: linux_gated_call) -> Reading {
        if !SystemCallFilter.isNative(waiting) { return Reading(escape: .otherCalls) }
        guard let call = FilteredCall(number: waiting.number) else { return Reading() }
        do throws(ProcessMemory.Denied) {
            switch call {
            case .nanosleep, .clockNanosleep: return try sleep(call, waiting)
            case .mmap:
                let paths = files(waiting, [waiting.fifth])
                // A mapping that cannot be written to is a read.
                guard !paths.isEmpty, waiting.third & UInt64(PROT_WRITE) != 0 else { return Reading() }
                return Reading(call: GatedCall(.mmap, paths), escape: .mapping)
            case .ioUringSetup, .ioSetup: return Reading(escape: .ring)
            case .execve: return try execution(waiting)
            default:
                if let call = try named(call, waiting) { return Reading(call: call) }
                return Reading(call: try opened(call, waiting))
            }
        } catch {
            return Reading(escape: .unreadable)
        }
    }

    // MARK: By path

    private func named(
        _ call: FilteredCall,
        _ waiting: linux_gated_call
    ) throws(ProcessMemory.Denied) -> GatedCall? {
        let (kind, ends) = try Self.named(call, waiting)
        var paths: [String] = []
        for end in ends { if let found = try path(waiting, end) { paths.append(found) } }
        return paths.isEmpty ? nil : GatedCall(kind, paths)
    }

    /// A path in the memory of a program.
    private struct Name {
        /// The descriptor of the directory where it begins.
        var directory = UInt64(bitPattern: Int64(AT_FDCWD))
        var address: UInt64
        /// Whether a link at its end is followed.
        var follows = false
    }

    private static func named(
        _ call: FilteredCall,
        _ waiting: linux_gated_call
    ) throws(ProcessMemory.Denied) -> (GatedCall.Kind, [Name]) {
        let (first, second, third, fourth) = (waiting.first, waiting.second, waiting.third, waiting.fourth)
        let here = Name(address: first)
        let file = Name(address: first, follows: true)
        let there = Name(directory: first, address: second)
        func target(noFollow flags: UInt64) -> Name {
            Name(directory: first, address: second, follows: flags & UInt64(AT_SYMLINK_NOFOLLOW) == 0)
        }
        switch call {
        case .open: return (opening(second), [file])
        case .openat: return (opening(third), [target(noFollow: 0)])
        case .openat2:
            let flags = try ProcessMemory.bytes(of: waiting.thread, at: third, count: 8)
            return (opening(flags.littleEndian), [target(noFollow: 0)])
        case .creat: return (.openToWrite, [file])
        case .truncate: return (.truncate, [file])
        case .stat, .access: return (.stat, [file])
        case .lstat: return (.stat, [here])
        case .faccessat: return (.stat, [target(noFollow: 0)])
        case .statx: return (.stat, [target(noFollow: third)])
        case .fstatat, .faccessat2: return (.stat, [target(noFollow: fourth)])
        case .rename: return (.rename, [here, Name(address: second)])
        case .link: return (.link, [here, Name(address: second)])
        case .renameat, .renameat2: return (.rename, [there, Name(directory: third, address: fourth)])
        case .linkat: return (.link, [there, Name(directory: third, address: fourth)])
        default: return changed(call, waiting)
        }
    }

    /// The calls that make or remove one name.
    private static func changed(_ call: FilteredCall, _ waiting: linux_gated_call) -> (GatedCall.Kind, [Name])
    {
        let here = [Name(address: waiting.first)]
        let there = [Name(directory: waiting.first, address: waiting.second)]
        switch call {
        case .symlink: return (.symlink, [Name(address: waiting.second)])
        case .symlinkat: return (.symlink, [Name(directory: waiting.second, address: waiting.third)])
        case .unlink: return (.unlink, here)
        case .unlinkat: return (waiting.third & UInt64(AT_REMOVEDIR) == 0 ? .unlink : .rmdir, there)
        case .mkdir: return (.mkdir, here)
        case .mkdirat: return (.mkdir, there)
        case .rmdir: return (.rmdir, here)
        case .mknod: return (.mknod, here)
        case .mknodat: return (.mknod, there)
        default: return (.read, [])
        }
    }

    private static func opening(_ flags: UInt64) -> GatedCall.Kind {
        let flags = Int32(truncatingIfNeeded: flags)
        return flags & (O_ACCMODE | O_CREAT | O_TRUNC) == O_RDONLY ? .open : .openToWrite
    }

    private func path(_ waiting: linux_gated_call, _ name: Name) throws(ProcessMemory.Denied) -> String? {
        guard let path = try ProcessMemory.text(of: waiting.thread, at: name.address) else { return nil }
        let directory = Int32(truncatingIfNeeded: name.directory)
        let process = "/proc/\(waiting.thread)"
        let start =
            path.first == UInt8(ascii: "/") ? "root" : directory == AT_FDCWD ? "cwd/" : "fd/\(directory)/"
        return containers.name(of: RealPath.of(path, from: "\(process)/\(start)", follows: name.follows))
    }

    // MARK: By descriptor

    private func opened(
        _ call: FilteredCall,
        _ waiting: linux_gated_call
    ) throws(ProcessMemory.Denied) -> GatedCall? {
        let (first, second, third) = (waiting.first, waiting.second, waiting.third)
        let (kind, descriptors): (GatedCall.Kind, [UInt64]) =
            switch call {
            case .read, .pread, .readv, .preadv, .preadv2, .getdents: (.read, [first])
            case .write, .pwrite, .writev, .pwritev, .pwritev2, .fallocate: (.write, [first])
            case .ftruncate: (.truncate, [first])
            case .fsync, .fdatasync: (.sync, [first])
            case .close: (.close, [first])
            // What had the number before is closed.
            case .dup2, .dup3: (.close, first == second ? [] : [second])
            case .copyFileRange, .splice: (.write, [first, third])
            case .sendfile: (.write, [second, first])
            case .ioctl: (.write, Self.cloning.contains(second) ? [third, first] : [])
            default: (.read, [])
            }
        if call == .msync { return mapped(waiting).map { GatedCall(.msync, [$0]) } }
        let paths = files(waiting, descriptors)
        let isOfReplaced = (kind == .read || kind == .write) && paths.count == 1 && isReplaced(waiting, first)
        guard !paths.isEmpty else { return nil }
        let offset = try offset(call, waiting)
        var found = GatedCall(kind, paths, isOfReplaced: isOfReplaced, offset: offset)
        found.count = try count(call, waiting)
        if kind == .read || kind == .write || kind == .truncate, let descriptor = descriptors.first {
            found.links = links(waiting, descriptor, but: paths)
        }
        return found
    }

    /// How many bytes a call reads at most; `nil`: unknown.
    private func count(
        _ call: FilteredCall,
        _ waiting: linux_gated_call
    ) throws(ProcessMemory.Denied) -> Int? {
        switch call {
        case .read, .pread: return Int(clamping: waiting.third)
        case .readv, .preadv, .preadv2:
            // Each has an address and a length of eight bytes.
            let size = 16 * min(Int(clamping: waiting.third), Self.mostVectors)
            let list = try ProcessMemory.bytes(of: waiting.thread, at: waiting.second, count: size)
            let lengths = stride(from: 8, to: list.count, by: 16).map { Array(list[$0...]).littleEndian }
            return lengths.reduce(0) { Int(clamping: UInt64($0).addingReportingOverflow($1).partialValue) }
        case .copyFileRange, .splice: return Int(clamping: waiting.fifth)
        case .sendfile: return Int(clamping: waiting.fourth)
        case .ioctl: return .max
        default: return nil
        }
    }

    /// The kernel takes no more.
    private static let mostVectors = 1024

    /// Where a call reads from; `nil`: unknown.
    private func offset(
        _ call: FilteredCall,
        _ waiting: linux_gated_call
    ) throws(ProcessMemory.Denied) -> Int? {
        let (source, given): (UInt64, UInt64)
        switch call {
        case .ioctl: return 0
        case .pread, .preadv: return Int(exactly: waiting.fourth)
        case .read, .readv: (source, given) = (waiting.first, 0)
        case .copyFileRange, .splice: (source, given) = (waiting.first, waiting.second)
        case .sendfile: (source, given) = (waiting.second, waiting.third)
        default: return nil
        }
        // It says in memory where it begins.
        if given != 0 {
            let bytes = try ProcessMemory.bytes(of: waiting.thread, at: given, count: 8)
            return bytes.count == 8 ? Int(exactly: bytes.littleEndian) : nil
        }
        let path = "/proc/\(waiting.thread)/fdinfo/\(Int32(truncatingIfNeeded: source))"
        let text = String(decoding: RealTree.read(path) ?? [], as: UTF8.self)
        guard let line = text.split(separator: "\n").first, line.hasPrefix("pos:") else { return nil }
        return Int(line.dropFirst("pos:".count).filter { !$0.isWhitespace })
    }

    private func isReplaced(_ waiting: linux_gated_call, _ descriptor: UInt64) -> Bool {
        let number = Int32(truncatingIfNeeded: descriptor)
        return RealPath.link("/proc/\(waiting.thread)/fd/\(number)").map(ContainerPaths.isReplaced) ?? false
    }

    /// FICLONE, by which `cp` copies where the file system can share blocks.
    private static let cloning: Set<UInt64> = [0x4004_9409]

    /// The other names of an open file.
    private func links(_ waiting: linux_gated_call, _ descriptor: UInt64, but paths: [String]) -> [String] {
        let number = Int32(truncatingIfNeeded: descriptor)
        return containers.names(ofLinked: "/proc/\(waiting.thread)/fd/\(number)").filter {
            !paths.contains($0)
        }
    }

    private func files(_ waiting: linux_gated_call, _ descriptors: [UInt64]) -> [String] {
        descriptors.compactMap { descriptor in
            let number = Int32(truncatingIfNeeded: descriptor)
            let link = "/proc/\(waiting.thread)/fd/\(number)"
            return containers.name(of: RealPath.link(link)) ?? containers.names(ofLinked: link).first
        }
    }

    /// The file that is mapped at the address that is to be flushed.
    private func mapped(_ waiting: linux_gated_call) -> String? {
        let maps = String(decoding: RealTree.read("/proc/\(waiting.thread)/maps") ?? [], as: UTF8.self)
        for line in maps.split(separator: "\n") {
            let fields = line.split(separator: " ", maxSplits: 5)
            let ends = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard fields.count == 6, ends.count == 2, (ends[0]..<ends[1]).contains(waiting.first) else {
                continue
            }
            return containers.name(of: String(fields[5].drop { $0 == " " }))
        }
        return nil
    }

    // MARK: Others

    private func sleep(
        _ call: FilteredCall,
        _ waiting: linux_gated_call
    ) throws(ProcessMemory.Denied) -> Reading {
        let isPlain = call == .nanosleep
        let address = isPlain ? waiting.first : waiting.third
        let bytes = try ProcessMemory.bytes(of: waiting.thread, at: address, count: 16)
        guard bytes.count == 16 else { return Reading() }
        let seconds = Int64(bitPattern: Array(bytes[..<8]).littleEndian)
        let nanoseconds = Int64(bitPattern: Array(bytes[8...]).littleEndian)
        guard (0..<1_000_000_000).contains(nanoseconds), seconds >= 0 else { return Reading() }
        var time = Duration.seconds(seconds) + .nanoseconds(nanoseconds)
        // TIMER_ABSTIME: a point in time of that clock.
        if !isPlain, waiting.second & 1 != 0 {
            time -= .nanoseconds(linux_time(Int32(truncatingIfNeeded: waiting.first)))
        }
        return Reading(call: GatedCall(.sleep), sleep: max(time, .zero))
    }

    private func execution(_ waiting: linux_gated_call) throws(ProcessMemory.Denied) -> Reading {
        guard geteuid() != 0,
            let path = try ProcessMemory.text(of: waiting.thread, at: waiting.first)
        else { return Reading() }
        let start = path.first == UInt8(ascii: "/") ? "root" : "cwd/"
        let program = String(decoding: path, as: UTF8.self)
        var status = Glibc.stat()
        guard unsafe stat("/proc/\(waiting.thread)/\(start)\(program)", &status) == 0,
            status.st_mode & (S_ISUID | S_ISGID) != 0
        else { return Reading() }
        return Reading(escape: .setUserID(program))
    }
}

extension [UInt8] {
    /// The value of the first eight bytes.
    fileprivate var littleEndian: UInt64 {
        prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
