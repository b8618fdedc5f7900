/// The bytes being parsed. Reading past the end returns 0, which no JSON text contains, so that the parser
/// needs no other check for the end.
///
/// It must not outlive the closure that received the buffer.
@safe struct ByteReader {
    private let base: UnsafePointer<UInt8>?
    let count: Int

    init(_ buffer: UnsafeBufferPointer<UInt8>) {
        unsafe base = buffer.baseAddress
        count = buffer.count
    }

    @inline(__always)
    subscript(index: Int) -> UInt8 {
        guard UInt(bitPattern: index) < UInt(bitPattern: count), let base = unsafe base else { return 0 }
        return unsafe base[index]
    }

    /// Eight bytes from `index`, the first one lowest; `nil` if fewer are left.
    @inline(__always)
    func word(at index: Int) -> UInt64? {
        guard index >= 0, index &+ 8 <= count, let base = unsafe base else { return nil }
        return unsafe UInt64(
            littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self)
        )
    }
}
