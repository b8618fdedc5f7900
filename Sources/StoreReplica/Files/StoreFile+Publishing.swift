import DirectoryReplica
import FileSystem
import Glibc
import Model
import Replica
import Stores

extension StoreFile {
    /// - Returns: `.raced` also if the file went before its attributes were read.
    func publish(
        _ bytes: [UInt8],
        over current: [UInt8]?,
        at target: Location
    ) throws(StoreFileFault) -> Publication {
        while current != nil, files.signature(ofFileBeingWritten: target) != nil {
            guard patience.waits() else { throw .beingWritten }
        }
        do throws(FileError) {
            let staged = try stage(bytes, for: target, over: current)
            do throws(FileError) { return try publish(staged, over: current) } catch {
                try? files.remove(staged.temporary)
                throw error
            }
        } catch {
            if current != nil, error == .missing(target) { return .raced }
            throw fault(error, of: target)
        }
    }

    func syncName(of target: Location) throws(StoreFileFault) {
        do throws(FileError) { try files.sync(target.directory) } catch { throw fault(error, of: target) }
    }

    /// A person does not know the temporary file.
    private func fault(_ error: FileError, of target: Location) -> StoreFileFault {
        guard case .system(let errno, let call, _) = error else { return .file(error) }
        return .file(.system(errno: errno, call, target))
    }

    /// The bytes of a displaced file that no program writes to any more.
    func settled(_ place: Location) throws(StoreFileFault) -> [UInt8] {
        while files.signature(ofFileBeingWritten: place) != nil {
            guard patience.waits() else { throw .beingWritten }
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
