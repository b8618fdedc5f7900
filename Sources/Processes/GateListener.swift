package import CLinux
import Glibc

/// Receives each gated call of a program and of all that it starts, and answers it.
package struct GateListener: Sendable {
    package let descriptor: Int32

    package init(descriptor: Int32) { self.descriptor = descriptor }

    /// To be called once `descriptor` can be read; `nil` if the caller is gone meanwhile.
    package func next() -> linux_gated_call? {
        var call = linux_gated_call()
        return unsafe linux_gate_receive(descriptor, &call) == 0 ? call : nil
    }

    /// The kernel carries the call out.
    package func letThrough(_ id: UInt64) { _ = linux_gate_let(descriptor, id) }

    /// The call returns zero without being carried out.
    package func skip(_ id: UInt64) { _ = linux_gate_skip(descriptor, id) }

    /// A caller that is killed waits no more.
    package func isWaiting(_ id: UInt64) -> Bool { linux_gate_is_waiting(descriptor, id) == 1 }

    package func close() { _ = Glibc.close(descriptor) }
}

/// The memory of another process.
package enum ProcessMemory {
    /// This process may not read it.
    package struct Denied: Error, Hashable {}

    /// Empty if there is nothing at that address.
    package static func bytes(
        of process: Int32,
        at address: UInt64,
        count: Int
    ) throws(Denied) -> [UInt8] {
        var isDenied = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            guard let start = buffer.baseAddress else { return }
            let read = unsafe linux_read_memory(process, address, start, count)
            if read < 0 { isDenied = errno == EPERM || errno == ENOSYS }
            filled = max(0, read)
        }
        if isDenied { throw Denied() }
        return bytes
    }

    /// A text that ends with a zero; `nil` if there is none, or it is longer than a path may be.
    package static func text(of process: Int32, at address: UInt64) throws(Denied) -> [UInt8]? {
        let bytes = try bytes(of: process, at: address, count: Int(PATH_MAX))
        guard let end = bytes.firstIndex(of: 0) else { return nil }
        return Array(bytes[..<end])
    }
}
