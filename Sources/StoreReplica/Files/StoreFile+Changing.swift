import Documents
import FileSystem
import Model
import Replica
import Stores

extension StoreFile {
    func put(_ put: StorePut, in content: StoreFileContent) throws(StoreFileFault) -> StoreValue {
        if content.kind == .manifest { return try putInManifest(put, content) }
        var result: StoreValue?
        try change(place, content) { (content) throws(StoreFileFault) in
            let value = try put.value(over: try replaced(put.key, in: content))
            result = value
            return try content.replacing(put.key, by: value)
        }
        guard let result else { throw .racing }
        return result
    }

    /// The value that is to be replaced. One that cannot be read can still be.
    private func replaced(
        _ name: String,
        in content: StoreFileContent
    ) throws(StoreFileFault) -> StoreValue? {
        do throws(StoreFileFault) { return try value(of: name, in: content) } catch {
            switch error {
            case .content, .valueFile(_, _, .missing): return content.raw(name)
            default: throw error
            }
        }
    }

    /// A long value is in a file of its own. It is written first and removed last, so that a killed run
    /// leaves a manifest whose files exist.
    private func putInManifest(
        _ put: StorePut,
        _ content: StoreFileContent
    ) throws(StoreFileFault) -> StoreValue {
        let new = try put.value(over: try replaced(put.key, in: content), only: .string)
        guard case .string(let text) = new else {
            throw .content(.unrepresentable(.asyncStorage, key: put.key, new.type))
        }
        let file = try sibling(AsyncStorageManifest.fileName(of: put.key))
        let isLong = text.utf16.count > AsyncStorageManifest.mostInline
        let wasLong = content.valueFile(of: put.key) != nil
        if isLong {
            try change(file, try parsed(try bytes(of: file), .json)) { (content) throws(StoreFileFault) in
                let old = content.bytes.flatMap { StoreValue($0, as: .string) }
                if wasLong { _ = try put.value(over: old, only: .string) }
                return new.bytes
            }
            if wasLong { return new }
        }
        try change(place, content) { (content) throws(StoreFileFault) in
            _ = try put.value(over: try replaced(put.key, in: content), only: .string)
            return try content.replacing(put.key, by: new)
        }
        if wasLong { try? files.remove(file) }
        return new
    }

    /// Changes a file as a whole by the bridge's compare-and-swap: what another program saved at the same
    /// moment is changed in turn. Nothing is swapped back.
    ///
    /// - Parameter change: Makes the file's new bytes. If it throws for what another program saved, that is
    ///   published again as it was.
    private func change(
        _ target: Location,
        _ content: StoreFileContent,
        by change: (StoreFileContent) throws(StoreFileFault) -> [UInt8]
    ) throws(StoreFileFault) {
        var displaced: [Location] = []
        do throws(StoreFileFault) {
            try self.change(target, content, keeping: &displaced, by: change)
        } catch {
            // A save of another program is only there.
            throw displaced.last.map { .displaced($0) } ?? error
        }
    }

    /// - Parameter displaced: Temporary files with saves of other programs that are not in the file yet.
    private func change(
        _ target: Location,
        _ content: StoreFileContent,
        keeping displaced: inout [Location],
        by change: (StoreFileContent) throws(StoreFileFault) -> [UInt8]
    ) throws(StoreFileFault) {
        /// What the file should have apart from the change, and what it probably has.
        var (base, current) = (content, content)
        var failure: StoreFileFault?
        for round in 0... {
            if round >= StoreReplica.mostRacers, !patience.waits() { break }
            var bytes = base.bytes
            do throws(StoreFileFault) { if failure == nil { bytes = try change(base) } } catch {
                if displaced.isEmpty { throw error }
                failure = error
            }
            guard let bytes, displaced.isEmpty ? bytes != base.bytes : true else { return }
            let out: Location?
            switch try publish(bytes, over: current.bytes, at: target) {
            case .created: out = nil
            case .replaced(let place): (out, displaced) = (place, displaced + [place])
            case .raced, .pending:
                (base, current) = try rebased(base, since: current, at: target, content)
                continue
            }
            try syncName(of: target)
            let saved = try out.map(settled)
            if saved == current.bytes {
                for place in displaced { try? files.remove(place) }
                displaced = []
                if let failure { throw failure }
                return
            }
            let theirs = try parsed(saved, from: out, content.kind)
            let isSame = base.bytes == current.bytes
            base = isSame ? theirs : try base.adding(current, to: theirs, keepsOwn: false, parsed)
            current = try parsed(bytes, content.kind)
        }
        throw .racing
    }

    /// After the file came or went: what it should have apart from the change, and what it has.
    private func rebased(
        _ base: StoreFileContent,
        since current: StoreFileContent,
        at target: Location,
        _ content: StoreFileContent
    ) throws(StoreFileFault) -> (base: StoreFileContent, current: StoreFileContent) {
        let found = try reread(target, content)
        if base.bytes == current.bytes { return (found, found) }
        return (try found.adding(current, to: base, keepsOwn: true, parsed), found)
    }

    /// The file after it came or went. While a program writes preferences, they are read from the backup.
    func reread(
        _ target: Location,
        _ content: StoreFileContent
    ) throws(StoreFileFault) -> StoreFileContent {
        if target != place { return try parsed(try bytes(of: target), content.kind) }
        while true {
            let reason: StoreFileFault
            do throws(StoreFileFault) {
                guard let found = try self.content(isCreated: content.bytes == nil) else { throw .racing }
                if !found.isBackup { return found }
                reason = .hasBackup
            } catch .file(.missing(let place)) {
                // Its program is about to write it again.
                reason = .file(.missing(place))
            }
            guard patience.waits() else { throw reason }
        }
    }

    /// A program that has just created the file may not have opened it yet, so a displaced file that cannot
    /// be read is waited for.
    private func parsed(
        _ bytes: [UInt8]?,
        from place: Location?,
        _ kind: StoreFileKind
    ) throws(StoreFileFault) -> StoreFileContent {
        var bytes = bytes
        while true {
            do throws(StoreFileFault) { return try parsed(bytes, kind) } catch {
                guard let place, patience.waits() else { throw error }
                bytes = try settled(place)
            }
        }
    }
}

extension StoreFileContent {
    /// The bytes of the file with another value of a key.
    func replacing(_ name: String, by value: StoreValue) throws(StoreFileFault) -> [UInt8] {
        do throws(StoreFault) {
            return try keyed.replacing(try encoding.encoded(value, as: name, in: fileFormat))
        } catch {
            throw .content(error)
        }
    }

    /// With what a program changed that had read `before` and saved `theirs`. A program that saves right
    /// after another one may not have read what that one saved.
    ///
    /// - Parameter keepsOwn: A key that was changed here, too, keeps the value that it has here.
    func adding(
        _ before: StoreFileContent,
        to theirs: StoreFileContent,
        keepsOwn: Bool,
        _ parsed: ([UInt8]?, StoreFileKind) throws(StoreFileFault) -> StoreFileContent
    ) throws(StoreFileFault) -> StoreFileContent {
        // In a manifest, a value that moved to a file of its own would count as removed.
        guard kind == .propertyList || kind == .preferences else { return keepsOwn ? self : theirs }
        let changes = before.keyed.changes(to: theirs.keyed)
        let bytes: [UInt8]
        do throws(StoreFault) {
            bytes = try keyed.replacing(
                keepsOwn ? keyed.applicable(changes, since: before.keyed) : changes
            )
        } catch {
            throw .content(error)
        }
        return try parsed(bytes, kind)
    }
}
