import FileSystem
import Glibc
import Synchronization

/// A socket that accepts connections. While no server answers, they wait in the kernel's queue: a bridge can
/// be closed and opened again without refusing a client.
package final class ListeningSocket: Sendable {
    /// How many clients may wait to be accepted. Others are refused at once.
    fileprivate static let backlog: Int32 = 4096

    package enum Address: Hashable, Sendable {
        /// A Unix socket of mode 0600. A file left by a dead agent is replaced: the process that serves a
        /// bridge holds its lock.
        case socket(String)
        /// A TCP port on this machine only. Port 0 is any free one.
        case loopback(port: Int)
    }

    package let address: Address
    /// `nil` for a Unix socket.
    package let port: Int?
    private let descriptor: Int32
    private let isOpen = Atomic(true)

    package init(_ address: Address) throws(ListenError) {
        self.address = address
        switch address {
        case .socket(let path): (descriptor, port) = (try .listening(atPath: path), nil)
        case .loopback(let port):
            descriptor = try .listening(onPort: port)
            self.port = descriptor.port
        }
    }

    deinit { close() }

    /// Lets as many clients wait again, after a library has listened for fewer: the last call counts.
    func listenAgain() throws(ListenError) {
        guard listen(descriptor, Self.backlog) == 0 else { throw ListenError(address, errno) }
    }

    /// Refuses connections from now on, and removes the file of a Unix socket.
    package func close() {
        guard isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return }
        if case .socket(let path) = address { unsafe unlink(path) }
        _ = Glibc.close(descriptor)
    }

    /// A descriptor of the same socket. The caller closes it.
    func duplicate() throws(ListenError) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw ListenError(address, errno) }
        return copy
    }
}

/// A socket that could not begin to listen.
package struct ListenError: Error, Hashable {
    package var place: String
    package var errno: Int32

    fileprivate init(_ address: ListeningSocket.Address, _ errno: Int32) {
        switch address {
        case .socket(let path): place = path
        case .loopback(let port): place = "127.0.0.1:\(port)"
        }
        self.errno = errno
    }
}

extension Int32 {
    fileprivate static func listening(atPath path: String) throws(ListenError) -> Int32 {
        guard let address = UnixAddress(path.utf8) else { throw ListenError(.socket(path), ENAMETOOLONG) }
        unsafe unlink(path)
        return try listening(.socket(path), AF_UNIX) { descriptor in
            // The file that `bind` creates has this mode from its beginning (unix(7)).
            fchmod(descriptor, 0o600) == 0 && (unsafe address.pass { unsafe bind(descriptor, $0, $1) }) == 0
        }
    }

    fileprivate static func listening(onPort port: Int) throws(ListenError) -> Int32 {
        guard let number = in_port_t(exactly: port) else { throw ListenError(.loopback(port: port), EINVAL) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = number.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return try listening(.loopback(port: port), AF_INET) { descriptor in
            // The kernel keeps the port of closed connections for a minute; a new agent may still bind it.
            var yes: Int32 = 1
            let size = socklen_t(MemoryLayout<Int32>.size)
            guard unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size) == 0 else {
                return false
            }
            return unsafe withUnsafeBytes(of: address) { bytes in
                let name = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
                return unsafe bind(descriptor, name, socklen_t(bytes.count)) == 0
            }
        }
    }

    private static func listening(
        _ address: ListeningSocket.Address,
        _ family: Int32,
        _ binds: (Int32) -> Bool
    ) throws(ListenError) -> Int32 {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw ListenError(address, errno) }
        guard binds(descriptor), listen(descriptor, ListeningSocket.backlog) == 0 else {
            let code = errno
            _ = Glibc.close(descriptor)
            throw ListenError(address, code)
        }
        return descriptor
    }

    /// The port of a TCP socket.
    fileprivate var port: Int? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(self, $0, &length)
            }
        }
        return result == 0 ? Int(in_port_t(bigEndian: address.sin_port)) : nil
    }
}
