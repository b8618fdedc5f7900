import Documents
package import Reconciliation
import Storage

/// A view as it was last seen to be right.
struct PublishedView: Sendable, Hashable {
    var digest: Digest
    /// `nil` where a later change could look the same.
    var signature: Signature?
}

/// Views: what is agreed on, said in further versions beside the document, for readers of those. They are
/// made from what is agreed and from nothing else, so only where they are has to be remembered.
extension Engine {
    package func document(ofView path: RelativePath) -> RelativePath? {
        profile?.document(ofView: path.description).flatMap { RelativePath($0.rule.path) }
    }

    /// In the turn of its document, before anybody is told of it.
    mutating func publishViews(_ job: inout PendingCommit, at now: Moment) {
        guard !job.input.rule.views.isEmpty, job.failure == nil, !job.isRaced else { return }
        let content: Plan.Agreed?
        switch job.plan.agreement {
        case .same, .none: return
        case .absent: content = nil
        case .content(let agreed): content = agreed
        }
        if let failure = bringViews(of: job.input, to: content, at: now) { job.failure = failure }
    }

    /// Somebody may have written to a view, or removed it: it gets what is agreed on again.
    mutating func keepViews(of input: PlanInput, at now: Moment) {
        let path = input.document
        guard !input.rule.views.isEmpty, !areViewsAsSeen(input) else { return }
        let agreed: Plan.Agreed?
        do throws(BaseFailure) {
            agreed = try self.agreed(on: path)
        } catch {
            return debounceQueue.schedule(path, at: now.uptime + Backoff.first)
        }
        if records[path] != nil, agreed == nil { return }
        let failure = bringViews(of: input, to: agreed, at: now)
        if folders.mayBeEmpty { flushDiscards() }
        guard let (side, error) = failure else { return }
        viewProblems[path] = (side, .unwritable(error))
        debounceQueue.schedule(path, at: now.uptime + Backoff.longest)
    }

    private func areViewsAsSeen(_ input: PlanInput) -> Bool {
        input.rule.views.allSatisfy { view in
            guard let place = view.place, let seen = views[place]?.signature else { return false }
            return (try? files.status(of: place).signature) == seen && records[input.document] != nil
        }
    }

    /// Writes or removes what differs. A view that cannot be made holds no document back: it is named.
    private mutating func bringViews(
        of input: PlanInput,
        to agreed: Plan.Agreed?,
        at now: Moment
    ) -> (side: Side, FileError)? {
        viewProblems[input.document] = nil
        for view in input.rule.views {
            guard let place = view.place, let side = place.side else { continue }
            do throws(FileError) {
                guard let agreed else {
                    if !(try isTaken(place, by: nil)) { try removeView(place) }
                    continue
                }
                switch input.rule.text(of: view, agreed) {
                case .success(let bytes):
                    if try isTaken(place, by: bytes) {
                        viewProblems[input.document] = (side, .taken(view: view.path))
                        continue
                    }
                    if let error = unrecorded(view: place) {
                        viewProblems[input.document] = (side, .unrecorded(view: view.path, error))
                        debounceQueue.schedule(input.document, at: now.uptime + .seconds(1))
                        continue
                    }
                    try publish(bytes, asView: place, of: input.document, at: now)
                case .failure(let refusal):
                    viewProblems[input.document] = (side, .unmakeable(view: view.path, refusal.problem))
                }
            } catch .notRegular {
                viewProblems[input.document] = (side, .notRegular(view: view.path))
            } catch {
                return (side, error)
            }
        }
        return nil
    }

    /// A file that the bridge has not put into a view's place, by all that the journal and the file itself
    /// tell, is somebody's own, and stays. Where files bear no marks nobody can say.
    private func isTaken(_ place: Location, by view: [UInt8]?) throws(FileError) -> Bool {
        guard let side = place.side, containers[side].known != nil, !publishedViews.places.contains(place),
            try status(ofView: place) != nil
        else { return false }
        do { return try isTaken(place, by: view, through: files) } catch .missing { return false }
    }

    private func isTaken<Files: FileSystem>(
        _ place: Location,
        by view: [UInt8]?,
        through files: Files
    ) throws(FileError) -> Bool {
        let handle = try files.open(place)
        defer { files.close(handle) }
        let bytes = try files.read(handle, limit: settings.maxDocument + 1)
        if bytes == view { return false }
        return containers.mark(of: handle, in: files, place, Digest(of: bytes))?.kind != .view
    }

    /// For a look that writes nothing.
    mutating func foreseeViews(of input: PlanInput, _ plan: Plan) {
        var agreed = try? agreed(on: input.document)
        if case .content(let content) = plan.agreement { agreed = content }
        for view in input.rule.views {
            guard let place = view.place, let side = place.side else { continue }
            do throws(FileError) {
                guard try status(ofView: place) != nil, let agreed else { continue }
                let text = try? input.rule.text(of: view, agreed).get()
                if try isTaken(place, by: text) {
                    viewProblems[input.document] = (side, .taken(view: view.path))
                }
            } catch .notRegular {
                viewProblems[input.document] = (side, .notRegular(view: view.path))
            } catch {}
        }
    }

    /// Why it cannot be told to the journal.
    private mutating func unrecorded(view place: Location) -> JournalError? {
        do { try remember(view: place) } catch { return error }
        return nil
    }

    private mutating func publish(
        _ bytes: [UInt8],
        asView place: Location,
        of document: RelativePath,
        at now: Moment
    ) throws(FileError) {
        let digest = Digest(of: bytes)
        let found = try status(ofView: place)
        let isRight = found.map { $0.mode & 0o222 == 0 } ?? false
        let standing = found == nil ? nil : Digest(of: try contents(of: place))
        if let found, isRight, standing == digest {
            let signature = signatureTrust.trusted(
                found.signature,
                of: place,
                grain: files.timestampGrain,
                at: now
            )
            views[place] = PublishedView(digest: digest, signature: signature)
            return
        }
        let staged = try stage(bytes, digest, asView: place, of: document, over: standing)
        let published = try swap(staged, expected: standing, place.side ?? .group)
        changedName(of: place)
        switch published {
        case .created: break
        case .raced: debounceQueue.enqueue(document)
        case .replaced(let displaced):
            try putAway(displaced, of: place, was: views[place]?.digest, .viewPublished(place.path))
        }
        let seen = try? files.status(of: place).signature
        let isOurs = seen.map { $0.isRenamed(staged.signature) } ?? false
        let signature =
            isOurs
            ? seen.flatMap { signatureTrust.trusted($0, of: place, grain: files.timestampGrain, at: now) }
            : nil
        views[place] = PublishedView(digest: digest, signature: signature)
        if !isOurs { debounceQueue.enqueue(document) }
    }

    private mutating func stage(
        _ bytes: [UInt8],
        _ digest: Digest,
        asView place: Location,
        of document: RelativePath,
        over standing: Digest?
    ) throws(FileError) -> Staged {
        let generation = records[document]?.generation ?? 0
        return try files.stage(
            bytes,
            digest: digest,
            for: place,
            replacing: standing,
            like: place.side.map { Location($0, document) },
            number: nextNumber(),
            synced: settings.durability.syncsFiles,
            isReadOnly: true,
            mark: containers.id.map { PublicationMark(.view, pair: $0, generation: generation, source: nil) }
        )
    }

    func status(ofView place: Location) throws(FileError) -> FileStatus? {
        do throws(FileError) {
            let status = try files.status(of: place)
            guard status.kind == .regular else { throw .notRegular(place, status.kind) }
            return status
        } catch .missing {
            return nil
        }
    }

    private mutating func removeView(_ place: Location) throws(FileError) {
        defer { views[place] = nil }
        guard (try? status(ofView: place)) != nil else { return }
        try takeAway(place)
    }

    mutating func takeAway(_ place: Location) throws(FileError) {
        let standing = Digest(of: try contents(of: place))
        guard let displaced = try files.displace(place, expected: standing, number: nextNumber()) else {
            return
        }
        changedName(of: place)
        try putAway(displaced, of: place, was: views[place]?.digest, .viewRemoved(place.path))
        folders.note(emptied: place)
    }

    /// What we have made ourselves can be made again; anything else may be somebody's, and is kept under the
    /// view's name.
    private mutating func putAway(
        _ displaced: Location,
        of view: Location,
        was published: Digest?,
        _ reason: OverwriteReason
    ) throws(FileError) {
        let digest = Digest(of: try contents(of: displaced))
        if digest == published { return try files.remove(displaced) }
        try discards.discard(displaced, digest, in: files)
        if let side = view.side { note(overwritten: digest, view.path, side, reason) }
    }

    /// A temporary of a view that a run that was killed has left. `false`: it is none.
    mutating func recoverView(_ place: Location, _ temporary: TemporaryName) -> Bool {
        let views = (profile?.documents ?? []).flatMap { $0.views.compactMap(\.place) }
        for target in views + publishedViews.old {
            guard target.directory == place.directory, temporary.belongs(to: target.path) else { continue }
            if let document = document(ofView: target.path) { debounceQueue.enqueue(document) }
            do throws(FileError) {
                try putAway(place, of: target, was: nil, .viewInterrupted(target.path))
            } catch {
                return false
            }
            return true
        }
        return false
    }
}

extension Side {
    init(_ container: DocumentView.Container) { self = container == .app ? .app : .group }
}

extension DocumentRule {
    /// What a view holds: the bytes of a side that speaks its version, else the newest taken there.
    fileprivate func text(of view: DocumentView, _ agreed: Plan.Agreed) -> Result<[UInt8], Refusal> {
        for side in Side.allCases where agreed.versions[side] == view.version {
            return .success(agreed.content.bytes(on: side))
        }
        guard let newest, newest != view.version else { return .success(agreed.content.newest) }
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: agreed.content.newest, limits: .unbounded)
        } catch {
            return .failure(Refusal(.untranslatableBase(error), view))
        }
        do throws(DocumentError) {
            let said = try translate(json, from: newest, to: view.version, agreed: nil)
            if let violation = breach(of: said, version: view.version) {
                return .failure(Refusal(.unfit(version: view.version, violation), view))
            }
            return .success(said.bytes)
        } catch {
            return .failure(Refusal(.untranslatable(error), view))
        }
    }
}

extension Refusal {
    fileprivate init(_ problem: Problem, _ view: DocumentView) {
        self.init(side: Side(view.container), problem: problem)
    }
}
