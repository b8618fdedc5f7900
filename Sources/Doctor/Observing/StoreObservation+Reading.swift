import DatabaseStore
package import Documents
import FileSystem
import Glibc
package import Model
import Replica
import StoreReplica
import Stores

extension StoreObservation {
    /// Looks at all stores of a side. Store files are read; a database is copied first, and the copy is read.
    ///
    /// - Parameters:
    ///   - container: the real path; `nil` if the container cannot be used.
    ///   - isDocument: whether the bridge syncs a document.
    package static func all(
        of profile: Profile,
        on side: Side,
        of platform: StorePlatform,
        at container: String?,
        maxDocument: Int,
        isDocument: (RelativePath) -> Bool
    ) -> [StoreObservation] {
        let layout = StoreLayout(profile, on: side, of: platform)
        let reader = container.flatMap { StoreReader(side, at: $0, maxDocument: maxDocument) }
        return profile.documents.compactMap { rule in
            guard let store = rule.stores[platform]?[side == .app ? .app : .group],
                let path = RelativePath(rule.path), isDocument(path), let stored = layout[path]
            else { return nil }
            var seen = StoreObservation(side, platform, rule, store, reader?.content(of: stored) ?? .unknown)
            if let reader { seen.surroundings = reader.surroundings(of: stored.file, profile) }
            if store.format == .flutter, store.fileKind == .preferences {
                seen.surroundings.dataStore = reader?.dataStore(beside: stored.file)
            }
            return seen
        }
    }
}

/// Reads the stores of one container.
struct StoreReader {
    let side: Side
    private let container: String
    let files: LinuxFileSystem
    private let maxDocument: Int

    init?(_ side: Side, at container: String, maxDocument: Int) {
        guard let files = try? LinuxFileSystem(app: container, group: container, state: container) else {
            return nil
        }
        (self.side, self.container, self.files) = (side, container, files)
        self.maxDocument = maxDocument
    }

    func content(of document: StoredDocument) -> StoreObservation.Content {
        do throws(FileError) {
            switch document {
            case .row(let row): return try content(of: row)
            case .keyed(let keyed) where keyed.format.isWhole: return try json(keyed.file)
            case .keyed(let keyed): return try content(of: keyed)
            }
        } catch {
            return .unreadable(error)
        }
    }

    private func place(_ path: RelativePath) -> Location { Location(side, path) }

    /// `nil` if it is absent.
    private func status(_ path: RelativePath?) throws(FileError) -> FileStatus? {
        guard let path else { return nil }
        do throws(FileError) { return try files.status(of: place(path)) } catch {
            switch error {
            case .missing: return nil
            case .noDirectory(let directory) where directory.path != nil: return nil
            default: throw error
            }
        }
    }

    // MARK: Files

    private func json(_ file: RelativePath) throws(FileError) -> StoreObservation.Content {
        guard let status = try status(file) else { return missing(file) }
        return .json(DocumentObservation(file, status, beneath: container))
    }

    /// A file that changes during each of so many reads is busy.
    private static let mostReads = 4

    private func content(of document: KeyedDocument) throws(FileError) -> StoreObservation.Content {
        let backup = document.format.hasBackup ? document.file.sibling(document.file.name + ".bak") : nil
        for _ in 0..<Self.mostReads {
            let hasBackup = try status(backup) != nil
            let file = hasBackup ? backup ?? document.file : document.file
            guard let before = try status(file) else { return missing(file) }
            guard before.kind == .regular else { throw .notRegular(place(file), before.kind) }
            let limits = StoreLimits()
            let bytes = try files.contents(of: place(file), limit: limits.maxBytes + 1)
            guard try status(file)?.signature == before.signature else { continue }
            do throws(StoreFault) {
                if bytes.count > limits.maxBytes {
                    throw .tooLarge(bytes: Int(before.signature.size), limit: limits.maxBytes)
                }
                let parsed = try complete(try document.format.parse(bytes), of: document)
                if let problem = problem(of: document, in: parsed) { return .unusable(problem) }
                return .file(parsed, size: bytes.count, backup: hasBackup ? before.signature.changed : nil)
            } catch {
                return .unusable(StoreProblem(file, .file(error)))
            }
        }
        return .busy
    }

    /// With the value that AsyncStorage keeps in a file of its own. A file that is missing is a problem.
    private func complete(_ file: any KeyedFile, of document: KeyedDocument) throws(StoreFault)
        -> any KeyedFile
    {
        guard let path = document.valueFile, let key = document.keys.first?.text,
            let manifest = file as? AsyncStorageManifest, manifest[key] == AsyncStorageManifest.elsewhere,
            let value = try? files.contents(of: place(path), limit: StoreLimits().maxBytes)
        else { return file }
        return try manifest.reading(value, ofFile: key)
    }

    /// Why the bridge cannot use the store whatever its values are.
    private func problem(of document: KeyedDocument, in file: any KeyedFile) -> StoreProblem? {
        do throws(StoreProblem) { _ = try document.bytes(in: file) } catch {
            if case .value = error.reason { return nil }
            return error
        }
        return nil
    }

    /// With the names of similar files in its directory: the profile may have a wrong one.
    private func missing(_ file: RelativePath) -> StoreObservation.Content {
        let entries = (try? files.list(Directory(Root(side), file.directory))) ?? []
        let suffix = file.name.lastIndex(of: ".").map { String(file.name[$0...]) }
        let names = entries.filter { $0.kind != .directory }.map { String(decoding: $0.bytes, as: UTF8.self) }
        return .missing(neighbours: names.filter { suffix != nil && $0.hasSuffix(suffix ?? "") })
    }

    // MARK: Databases

    private func content(of document: DatabaseDocument) throws(FileError) -> StoreObservation.Content {
        let file = document.file.path
        guard let status = try status(file) else { return missing(file) }
        guard status.kind == .regular else { throw .notRegular(place(file), status.kind) }
        if isLocked(file) { return .locked }
        let limit = StoreLimits().maxBytes
        if status.signature.size > limit { return .notExamined(status.signature.size) }
        let store = DatabaseStore(
            files,
            container: container,
            maxBytes: maxDocument,
            syncs: false,
            onlyLooks: true
        )
        defer { store.close() }
        do throws(DatabaseFault) {
            // The bridge creates a table whose statement is known.
            if try !store.hasTable(of: document) { return .noTable(isMade: document.creation != nil) }
            let reading = try store.read(document, unless: nil, mayWait: false, isKnown: false)
            guard case .content(let content) = reading else { return .row(nil) }
            return .row(content.bytes)
        } catch .busy {
            return .busy
        } catch .changing {
            return .busy
        } catch {
            return .unusable(StoreProblem(file, .database(error)))
        }
    }

    private static let mostLooks = 20

    /// Whether nobody else can read the database, and that for longer than a commit takes.
    private func isLocked(_ file: RelativePath) -> Bool {
        for _ in 0..<Self.mostLooks {
            if !DatabaseLocks.isLocked("\(container)/\(file)") { return false }
            usleep(10_000)
        }
        return true
    }
}
