/// Numbers as stored in extended attributes.
///
/// For each type by itself: a generic one would not be specialized for other modules, which read such an
/// attribute with each look at a document.
extension UInt64 {
    package init(bigEndian bytes: ArraySlice<UInt8>) { self = bytes.reduce(0) { $0 << 8 | Self($1) } }
    package var bigEndianBytes: [UInt8] { unsafe Swift.withUnsafeBytes(of: bigEndian) { unsafe Array($0) } }
}

extension UInt32 {
    package init(bigEndian bytes: ArraySlice<UInt8>) { self = bytes.reduce(0) { $0 << 8 | Self($1) } }
    package var bigEndianBytes: [UInt8] { unsafe Swift.withUnsafeBytes(of: bigEndian) { unsafe Array($0) } }
}
