import Documents
package import Model
import StateStore
package import SyncEngine

extension BridgeCore {
    fileprivate func refuseIfHalted() throws(DecisionFailure) {
        try refuseIfPaused()
        if let foreseenHalt { throw .halted(foreseenHalt) }
    }

    fileprivate func refuseIfPaused() throws(DecisionFailure) {
        if let since = engine.pausedSince { throw .paused(since: since) }
    }
}

extension Bridge {
    package func conflicts() async throws(BridgeError) -> [KeptConflict] {
        try await decided(nil) { core throws(DecisionFailure) in try core.engine.conflicts() }
    }

    package func resolve(_ id: String, taking taken: Taken) async throws(BridgeError) -> MadeEdit {
        if case .content(let bytes) = taken { try checkContent(bytes, of: id) }
        try await carryNow()
        let edit = try await decided(.conflict(id)) { core throws(DecisionFailure) in
            try core.refuseIfHalted()
            return try core.engine.resolve(id, taking: taken, at: Clock.now)
        }
        try await carryNow()
        return edit
    }

    package func history(of name: RelativePath?) async throws(BridgeError) -> [TrashedContent] {
        try await decided(nil) { core throws(DecisionFailure) in try core.engine.history(of: name) }
    }

    package func undo(_ id: String) async throws(BridgeError) -> MadeEdit {
        try await carryNow()
        let edit = try await decided(.trash(id)) { core throws(DecisionFailure) in
            try core.refuseIfHalted()
            return try core.engine.undo(id, at: Clock.now)
        }
        try await carryNow()
        return edit
    }

    package func delete(
        _ name: RelativePath,
        side: Side,
        expecting expected: Digest?
    ) async throws(BridgeError) {
        try checkName(name)
        try await carryNow()
        do throws(BridgeError) {
            try await decided(nil) { core throws(DecisionFailure) in
                try core.refuseIfHalted()
                do throws(PutFailure) {
                    try core.engine.refuseUnsynced(name, on: side)
                    try core.engine.delete(name, on: side, expecting: expected, at: Clock.now)
                } catch {
                    throw .put(error, name, side)
                }
            }
        } catch .file(.missing) {
            throw .noDocument(name.description, side)
        }
        try await carryNow()
    }

    package func allow(_ id: String) async throws(BridgeError) -> Allowed {
        let allowed = try await decided(.halt(id)) { core throws(DecisionFailure) in
            try core.refuseIfPaused()
            return try core.engine.allow(id)
        }
        try await carryNow()
        return allowed
    }

    /// Without an agent, nothing else would sync the decision, or earlier saves of programs that contradict
    /// it.
    private func carryNow() async throws(BridgeError) {
        guard await engineThread.run({ core in !core.isAgent }) == true else { return }
        _ = try await sync(dryRun: false)
    }

    private func decided<Value: Sendable>(
        _ subject: BridgeError.Subject?,
        _ body: @escaping @Sendable (inout BridgeCore) throws(DecisionFailure) -> Value
    ) async throws(BridgeError) -> Value {
        let outcome = await engineThread.run { core -> Result<Value, DecisionFailure> in
            do throws(DecisionFailure) { return .success(try body(&core)) } catch { return .failure(error) }
        }
        switch outcome {
        case nil: throw .noAgent(socket: socketPath)
        case .success(let value)?: return value
        case .failure(let failure)?: throw error(failure, subject)
        }
    }

    private func error(_ failure: DecisionFailure, _ subject: BridgeError.Subject?) -> BridgeError {
        if case .journal(let error) = failure { return paths.unusable(error) }
        return BridgeError(failure, of: subject ?? .conflict(""), journal: paths.journal)
    }
}

extension BridgeError {
    package init(_ failure: DecisionFailure, of subject: Subject, journal: String) {
        self =
            switch failure {
            case .unknown: .unknownID(subject)
            case .ambiguous(let ids): .ambiguousID(subject, ids: ids)
            case .impossible(let reason): .undecidable(subject, .known(reason))
            case .halted(let halt): .halted(reason: .known(halt))
            case .paused(let since): .paused(since: UTCTime.text(since))
            case .put(let failure, let name, let side): BridgeError(failure, of: name, on: side)
            case .file(let error): .file(error)
            case .journal(let error): .journal(error, path: journal)
            }
    }
}
