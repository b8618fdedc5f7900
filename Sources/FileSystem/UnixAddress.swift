package import Glibc

/// The address of a Unix socket: a path, or an abstract name, which begins with a zero byte (unix(7)).
package struct UnixAddress {
    private var address = sockaddr_un()
    private let length: socklen_t

    /// `nil` if the name is too long.
    package init?(_ name: some Collection<UInt8>) {
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        // Without the zero byte that ends a path: in an abstract name it would count.
        length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    }

    package func pass<Result>(to function: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        unsafe withUnsafePointer(to: address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe function($0, length) }
        }
    }
}
