package import Documents
import FileSystem
import Glibc
package import Model
import Replica
import StateStore
package import SyncEngine

extension BridgeCore {
    /// A document above the size limit cannot be read: a truncated content would be taken for the whole.
    fileprivate func document(_ name: RelativePath, on side: Side) throws(PutFailure) -> StoredDocument {
        let limit = engine.settings.maxDocument
        let bytes: [UInt8]
        let size: Int64
        do throws(FileError) {
            bytes = try engine.bytes(of: name, on: side)
            if bytes.count <= limit {
                return StoredDocument(
                    name: name,
                    side: side,
                    bytes: bytes,
                    hash: Digest(of: bytes),
                    modified: engine.modified(name, on: side)
                )
            }
            size = try engine.status(of: Location(side, name)).signature.size
        } catch .missing {
            if let problem = engine.obstacle(toReading: name, on: side) { throw .problem(problem) }
            throw .file(.missing(Location(side, name)))
        } catch {
            throw .file(error)
        }
        throw .problem(.tooLarge(max(size, Int64(bytes.count)), limit: limit))
    }

    /// Checked before anything is written. Without an agent, the containers have not been read yet.
    var foreseenHalt: Halt? { isAgent ? engine.halt : engine.foreseenHalt() }

    fileprivate func refuseIfHalted() throws(PutFailure) {
        if let since = engine.pausedSince { throw .paused(since: since) }
        if let foreseenHalt { throw .halted(foreseenHalt) }
    }
}

extension BridgeError {
    package init(_ failure: PutFailure, of name: RelativePath, on side: Side) {
        self =
            switch failure {
            case .mismatch(let actual): .mismatch(name.description, side, actual: actual)
            case .halted(let halt): .halted(reason: .known(halt))
            case .paused(let since): .paused(since: UTCTime.text(since))
            case .problem(let problem):
                .held(document: name.description, reason: .known(.held(problem)), problem.kind)
            case .file(.notRegular(let file, let kind)) where file == Location(side, name):
                .held(
                    document: name.description,
                    reason: .known(.held(.notRegular(kind))),
                    .notRegular
                )
            case .file(let error) where error.lacksRoom: .noRoom(error.naming(name).place)
            case .file(let error): .file(error.naming(name))
            }
    }
}

extension Bridge {
    package func profile() async throws(BridgeError) -> Profile? { settings.profile }

    package func document(_ name: RelativePath, side: Side) async throws(BridgeError) -> StoredDocument {
        if settings.profile?.document(ofView: name.description) == nil { try checkName(name) }
        let read = await engineThread.run { core -> Result<StoredDocument, PutFailure> in
            do throws(PutFailure) {
                return .success(try core.document(name, on: side))
            } catch {
                return .failure(error)
            }
        }
        guard let read else { throw .noAgent(socket: socketPath) }
        switch read {
        case .success(let document): return document
        case .failure(.file(.missing)), .failure(.file(.noDirectory)):
            throw .noDocument(name.description, side)
        case .failure(let failure): throw BridgeError(failure, of: name, on: side)
        }
    }

    package func put(
        _ bytes: [UInt8],
        as name: RelativePath,
        side: Side,
        expecting: Expectation,
        force: Bool
    ) async throws(BridgeError) -> StoredDocument {
        try check(bytes, as: name)
        if !force { try settings.checkSchema(bytes, of: name) }
        let expected: Digest?? =
            switch expecting {
            case .anything: nil
            case .nothing: .some(nil)
            case .content(let digest): digest
            }
        let outcome = await engineThread.run { core -> Result<Void, PutFailure> in
            do throws(PutFailure) {
                try core.refuseIfHalted()
                try core.engine.refuseUnsynced(name, on: side)
                return .success(
                    try core.engine.put(bytes, as: name, on: side, expecting: expected, at: Clock.now)
                )
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case nil: throw .noAgent(socket: socketPath)
        case .success?: return StoredDocument(name: name, side: side, bytes: bytes, hash: Digest(of: bytes))
        case .failure(let failure)?: throw BridgeError(failure, of: name, on: side)
        }
    }

    /// Accepts only what the bridge could sync.
    private func check(_ bytes: [UInt8], as name: RelativePath) throws(BridgeError) {
        try checkName(name)
        try checkContent(bytes, of: name.description)
    }

    func checkName(_ name: RelativePath) throws(BridgeError) { try settings.checkName(name) }

    func checkContent(_ bytes: [UInt8], of name: String) throws(BridgeError) {
        let engine = settings.engine
        let limits = JSONLimits(maxBytes: engine.maxDocument, maxDepth: engine.maxDepth)
        let rule = settings.profile?.rule(for: name) ?? .plain(path: name)
        do throws(JSONError) {
            try rule.check(bytes, limits: limits)
        } catch {
            throw .invalidDocument(name, .json(error))
        }
    }

    package func sync(
        dryRun: Bool,
        patience: Duration,
        meanwhile: ScanProgress.Watcher?
    ) async throws(BridgeError) -> SyncReport {
        if dryRun {
            guard let report = await engineThread.run({ core in core.rehearsal() }) else {
                throw .noAgent(socket: socketPath)
            }
            return report
        }
        let report: SyncReport?
        let request = SyncBarrier.Request(patience: patience, collects: true, meanwhile: meanwhile)
        switch await outcome(of: request) {
        case .unrecorded(let error): throw paths.unusable(error)
        case .paused(let since): throw .paused(since: UTCTime.text(since))
        case .settled(let changes): report = await engineThread.run { core in core.report(changes) }
        case .stalled(let changes):
            report = await engineThread.run { core in core.report(changes, isStalled: true) }
            // Nothing can be named: no document waits, but the watcher or the journal.
            if let report, report.halt == nil, !report.changes.contains(where: { $0.action == .hold }) {
                throw .timedOut(patience)
            }
        case .halted, .held, .timedOut, .stopped: report = nil
        }
        guard let report else { throw .noAgent(socket: socketPath) }
        return report
    }

    package func wait(
        for documents: [RelativePath],
        timeout: Duration,
        rehash: Bool
    ) async throws(BridgeError) {
        var asked: Set<RelativePath> = []
        for name in documents {
            // A view is synced with its document.
            let view = settings.profile?.document(ofView: name.description)
            if view == nil { try checkName(name) }
            asked.formUnion([name] + [view.flatMap { RelativePath($0) }].compactMap(\.self))
        }
        let outcome = await outcome(
            of: SyncBarrier.Request(documents: asked.isEmpty ? nil : asked, timeout: timeout, rehash: rehash)
        )
        switch outcome {
        case .settled: return
        case .halted(let halt): throw .halted(reason: .known(halt))
        case .paused(let since): throw .paused(since: UTCTime.text(since))
        case .held(let row):
            throw .held(document: row.name, reason: row.reason.map { .known($0) }, row.problem)
        case .unrecorded(let error): throw paths.unusable(error)
        case .timedOut, .stalled: throw .timedOut(timeout)
        case .stopped: throw .noAgent(socket: socketPath)
        }
    }

    package func story(of name: RelativePath) async throws(BridgeError) -> DocumentStory {
        let filter = settings.engine.filter
        let isNamed =
            isDocumentName(name.description) || settings.profile?.isDocument(name.description) == true
        // Its base is kept, but says nothing of the document any more.
        if !isNamed || DocumentFilter.exclusion(of: name.description, by: settings.profile, filter) != nil {
            try checkName(name)
        }
        let found = await engineThread.run { core -> Result<DocumentStory?, JournalError> in
            do throws(JournalError) {
                return .success(try core.story(of: name))
            } catch {
                return .failure(error)
            }
        }
        switch found {
        case nil: throw .noAgent(socket: socketPath)
        case .failure(let error)?: throw paths.unusable(error)
        case .success(nil)?:
            try checkName(name)
            throw .noDocument(name.description, nil)
        case .success(let story?)?: return story
        }
    }

    package func reloads(_ filter: ReloadFilter) throws(BridgeError)
        -> AsyncThrowingStream<ReloadEvent, any Error>
    {
        if let kind = filter.kind { try checkKind(kind, isNamedBy: settings.profile) }
        let presence = filter.acknowledges ? SubscriberPresence(on: engineThread, for: filter.kind) : nil
        let subscription = subscription(filter)
        return AsyncThrowingStream {
            let event = await subscription.next()
            return withExtendedLifetime(presence) { event }
        }
    }

    package func subscription(_ filter: ReloadFilter) -> ReloadSubscription {
        ReloadSubscription(source: engineThread, feed: feed, filter: filter)
    }

    package func status() async throws(BridgeError) -> BridgeStatus {
        let (settings, paths, instance) = (settings, paths, feed.instance)
        guard let status = await engineThread.run({ core in core.status(settings, paths, instance) }) else {
            throw .noAgent(socket: socketPath)
        }
        return status
    }
}

/// A document that no profile names is a kind of its own name.
package func checkKind(_ kind: String, isNamedBy profile: Profile?) throws(BridgeError) {
    let known = profile?.documents.flatMap { $0.kinds.map(\.name) + $0.activities.map(\.name) } ?? []
    let isDocument = profile?.isDocument(kind) ?? isDocumentName(kind)
    if !isDocument, !known.contains(kind) { throw .unknownKind(kind, known: known) }
}

extension BridgeSettings {
    /// Accepts only what the bridge would not hold for its version or schema.
    fileprivate func checkSchema(_ bytes: [UInt8], of name: RelativePath) throws(BridgeError) {
        let limits = JSONLimits(maxBytes: engine.maxDocument, maxDepth: engine.maxDepth)
        guard let rule = profile?.rule(for: name.description),
            let fault = BridgeError.ContentFault(in: bytes, heldBy: rule, limits: limits)
        else { return }
        throw .invalidDocument(name.description, fault)
    }

    /// Accepts only the name of a document that a bridge with these settings syncs.
    package func checkName(_ name: RelativePath) throws(BridgeError) {
        if let document = profile?.document(ofView: name.description) {
            throw .notADocument(name.description, .known(.view(of: document)))
        }
        let excluded = DocumentFilter.exclusion(of: name.description, by: profile, engine.filter)
        if let excluded { throw .notADocument(name.description, .known(.excluded(excluded))) }
        guard profile?.isDocument(name.description) ?? isDocumentName(name.description) else {
            throw .notADocument(name.description, .known(.notJSON))
        }
    }
}
