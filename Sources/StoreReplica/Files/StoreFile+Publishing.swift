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
            let staged = try stage(bytes, for: target, isNew: current == nil)
            do throws(FileError) { publication = try publish(staged, over: current) } catch {
                try? files.remove(staged.temporary)
                throw error
            }
            try files.sync(target.directory)
        } catch {
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
    private func settled(_ place: Location) throws(StoreFileFault) -> [UInt8] {
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

    /// Not under the name of a bridge's temporary file: an agent would take it for one that a killed run
    /// left.
    private func stage(_ bytes: [UInt8], for target: Location, isNew: Bool) throws(FileError) -> Staged {
        var number = 0
        while true {
            guard let path = target.path.sibling(".store-put-\(getpid())-\(number)") else {
                throw .system(errno: ENAMETOOLONG, .create, target)
            }
            let temporary = Location(target.root, path)
            do {
                return try files.stage(bytes, at: temporary, for: target, isNew: isNew)
            } catch .exists {
                number += 1
            }
        }
    }
}

extension FileSystem {
    /// With the rights of the file that it is to replace, or else with those of any new file.
    fileprivate func stage(
        _ bytes: [UInt8],
        at temporary: Location,
        for target: Location,
        isNew: Bool
    ) throws(FileError) -> Staged {
        let handle = try create(temporary)
        do {
            defer { close(handle) }
            if !bytes.isEmpty { try write(bytes, to: handle) }
            if isNew {
                try setDefaultMode(of: handle)
            } else {
                try copyAttributes(of: target, to: handle)
            }
            try sync(handle)
            let signature = try status(of: handle).signature
            let digest = Digest(of: bytes)
            return Staged(target: target, temporary: temporary, digest: digest, signature: signature)
        } catch {
            try? remove(temporary)
            throw error
        }
    }
}
