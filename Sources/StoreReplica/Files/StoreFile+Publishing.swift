import DirectoryReplica
import FileSystem
import Glibc
import Model
import Replica
import Stores

/// What an exchange displaced.
struct Displacement {
    /// `nil` if there was no file.
    var bytes: [UInt8]?
    /// A temporary file, which has these bytes.
    var place: Location?
}

extension StoreFile {
    /// `nil` if the file came or went meanwhile; nothing was changed.
    func publish(
        _ bytes: [UInt8],
        over current: [UInt8]?,
        at target: Location
    ) throws(StoreFileFault) -> Displacement? {
        while current != nil, files.signature(ofFileBeingWritten: target) != nil {
            guard patience.waits() else { throw .beingWritten }
        }
        let publication: Publication
        do throws(FileError) {
            let staged = try stage(bytes, for: target, over: current)
            do throws(FileError) { publication = try publish(staged, over: current) } catch {
                try? files.remove(staged.temporary)
                throw error
            }
            try files.sync(target.directory)
        } catch {
            // It went before its attributes were read.
            if current != nil, error == .missing(target) { return nil }
            // A person does not know the temporary file.
            if case .system(let errno, let call, _) = error {
                throw .file(.system(errno: errno, call, target))
            }
            throw .file(error)
        }
        switch publication {
        case .raced, .pending: return nil
        case .created: return Displacement()
        case .replaced(let place): return Displacement(bytes: try settled(place), place: place)
        }
    }

    /// The bytes of a displaced file that no program writes to any more.
    func settled(_ place: Location) throws(StoreFileFault) -> [UInt8] {
        while files.signature(ofFileBeingWritten: place) != nil {
            guard patience.waits() else { throw .displaced(place) }
        }
        guard let bytes = try bytes(of: place) else { throw .racing }
        return bytes
    }

    private func publish(_ staged: Staged, over current: [UInt8]?) throws(FileError) -> Publication {
        guard let current else { return try files.publish(staged, replacing: false) }
        do { return try files.publish(staged, replacing: true) } catch .unsupported(.rename, _) {}
        let limit = StoreLimits().maxBytes
        return try files.publishOver(staged, expected: Digest(of: current), limit: limit)
    }

    private func stage(_ bytes: [UInt8], for target: Location, over current: [UInt8]?) throws(FileError)
        -> Staged
    {
        var number = 0
        while true {
            guard let path = target.path.sibling(PutLeftover.name(number, bytes, over: current)) else {
                throw .system(errno: ENAMETOOLONG, .create, target)
            }
            do {
                return try files.stage(
                    bytes,
                    Digest(of: bytes),
                    StoreMark(of: path.name),
                    for: target,
                    like: current == nil ? nil : target,
                    at: Location(target.root, path),
                    synced: true
                )
            } catch .exists {
                number += 1
            }
        }
    }
}
