import Storage

/// To files that bear no marks of what was published: as on a file system without extended attributes.
struct UnmarkedDoor<G: Ground>: ForwardingDoor {
    typealias Handle = Gate<G>.Handle

    let base: Gate<G>

    func attribute(_ name: String, of handle: Handle) throws(FileError) -> [UInt8]? { nil }
}
