import Documents
package import Model
import Replica
import StateStore

/// Views: the base translated to further versions, in files beside the document, for programs that read
/// those. They depend only on the base, so only their locations are stored.
extension Engine {
    package func document(ofView path: RelativePath) -> RelativePath? { rules.document(ofView: path) }

    /// In the turn of its document, before subscribers are notified.
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

    /// A program may have changed or removed a view: it is published again.
    mutating func keepViews(of input: PlanInput, at now: Moment) {
        let path = input.document
        guard !input.rule.views.isEmpty else { return }
        let isAgreed = records[path] != nil
        if viewPublisher.areAsSeen(input.rule.views, isAgreed: isAgreed, in: replicas) { return }
        let agreed: Plan.Agreed?
        do throws(BaseFailure) {
            agreed = try self.agreed(on: path)
        } catch {
            return debounceQueue.schedule(path, at: now.uptime + Backoff.first)
        }
        if records[path] != nil, agreed == nil { return }
        let failure = bringViews(of: input, to: agreed, at: now)
        if discards.hasEmptied { flushDiscards() }
        guard let (side, error) = failure else { return }
        viewPublisher.remember(.unwritable(error), on: side, of: path)
        debounceQueue.schedule(path, at: now.uptime + Backoff.longest)
    }

    /// Writes or removes the views that differ. A view that cannot be made does not block its document; it is
    /// reported.
    private mutating func bringViews(
        of input: PlanInput,
        to agreed: Plan.Agreed?,
        at now: Moment
    ) -> (side: Side, FileError)? {
        viewPublisher.forgetProblem(of: input.document)
        for view in input.rule.views {
            guard let place = view.place, let side = place.side else { continue }
            do throws(FileError) {
                guard let agreed else {
                    if !(try isTaken(place, by: nil)) { try removeView(place) }
                    continue
                }
                switch input.rule.text(of: view, agreed) {
                case .success(let bytes): try bring(bytes, as: view, at: place, of: input.document, at: now)
                case .failure(let refusal):
                    viewPublisher.remember(
                        .unmakeable(view: view.path, refusal.problem),
                        on: side,
                        of: input.document
                    )
                }
            } catch .notRegular {
                viewPublisher.remember(.notRegular(view: view.path), on: side, of: input.document)
            } catch {
                return (side, error.naming(place.path))
            }
        }
        return nil
    }

    private mutating func bring(
        _ bytes: [UInt8],
        as view: DocumentView,
        at place: Location,
        of document: RelativePath,
        at now: Moment
    ) throws(FileError) {
        let side = Side(view.container)
        if try isTaken(place, by: bytes) {
            return viewPublisher.remember(.taken(view: view.path), on: side, of: document)
        }
        do throws(JournalError) {
            try viewPublisher.remember(place, in: &journal)
        } catch {
            viewPublisher.remember(.unrecorded(view: view.path, error), on: side, of: document)
            return debounceQueue.schedule(document, at: now.uptime + .seconds(1))
        }
        try publish(bytes, asView: place, of: document, at: now)
    }

    private func isTaken(_ place: Location, by view: [UInt8]?) throws(FileError) -> Bool {
        let limit = settings.maxDocument + 1
        return try viewPublisher.isTaken(place, by: view, in: containers, limit: limit)
    }

    /// For a dry run.
    mutating func foreseeViews(of input: PlanInput, _ plan: Plan) {
        var agreed = try? agreed(on: input.document)
        if case .content(let content) = plan.agreement { agreed = content }
        let (views, limit) = (input.rule, settings.maxDocument + 1)
        viewPublisher.foresee(views, of: input.document, agreed, in: containers, limit: limit)
    }

    private mutating func publish(
        _ bytes: [UInt8],
        asView place: Location,
        of document: RelativePath,
        at now: Moment
    ) throws(FileError) {
        let digest = Digest(of: bytes)
        let found = try ViewPublisher.status(of: place, in: replicas)
        let isRight = found?.isReadOnly ?? false
        let standing = found == nil ? nil : Digest(of: try contents(of: place))
        if let found, isRight, standing == digest {
            let signature = containers.trusted(found.signature, of: place, at: now)
            viewPublisher.remember(PublishedView(digest: digest, signature: signature), at: place)
            return
        }
        let staged = try stage(bytes, digest, asView: place, of: document, over: standing)
        let published = try swap(staged, expected: standing, place.side ?? .group)
        containers.recordRename(place)
        switch published {
        case .created: break
        // It is read again once the question is answered.
        case .pending: return
        case .raced: debounceQueue.enqueue(document)
        case .replaced(let displaced):
            let published = viewPublisher.seen(at: place)?.digest
            try putAway(displaced, of: place, was: published, .viewPublished(place.path))
        }
        let seen = containers.signature(of: staged, at: now)
        viewPublisher.remember(PublishedView(digest: digest, signature: seen.trusted), at: place)
        if !seen.isOwn { debounceQueue.enqueue(document) }
    }

    private mutating func stage(
        _ bytes: [UInt8],
        _ digest: Digest,
        asView place: Location,
        of document: RelativePath,
        over standing: Digest?
    ) throws(FileError) -> Staged {
        let generation = records[document]?.generation ?? 0
        let write = DocumentWrite(
            place.path,
            bytes: bytes,
            digest: digest,
            over: standing,
            like: place.side.flatMap { containers.model(document, on: $0) },
            number: containers.nextNumber(),
            isSynced: settings.durability.syncsFiles,
            isReadOnly: true,
            mark: containers.mark(.view, generation: generation, source: nil)
        )
        return try replicas[of: place].prepare(write)
    }

    private mutating func removeView(_ place: Location) throws(FileError) {
        defer { viewPublisher.remember(nil, at: place) }
        guard (try? ViewPublisher.status(of: place, in: replicas)) != nil else { return }
        try takeAway(place)
    }

    mutating func takeAway(_ place: Location) throws(FileError) {
        let standing = Digest(of: try contents(of: place))
        guard
            let displaced = try replicas[of: place].displace(
                place.path,
                expected: standing,
                number: containers.nextNumber()
            )
        else { return }
        containers.recordRename(place)
        let published = viewPublisher.seen(at: place)?.digest
        try putAway(displaced, of: place, was: published, .viewRemoved(place.path))
        discards.addEmptied(place)
    }

    /// The bridge's own file can be made again; any other may belong to a program, and goes to the trash
    /// under the view's name.
    private mutating func putAway(
        _ displaced: Location,
        of view: Location,
        was published: Digest?,
        _ reason: OverwriteReason
    ) throws(FileError) {
        let digest = Digest(of: try contents(of: displaced))
        if digest == published { return try replicas[of: displaced].remove(displaced) }
        try discards.discard(displaced, digest, in: state, from: replicas)
        if let side = view.side { record(overwritten: digest, view.path, side, reason) }
    }

    /// Handles a view's temporary file of a killed run. `false`: it is not one.
    mutating func recoverView(_ place: Location, _ temporary: TemporaryName) -> Bool {
        guard let target = viewPublisher.target(of: temporary, at: place, profile) else { return false }
        if let document = document(ofView: target.path) { debounceQueue.enqueue(document) }
        do throws(FileError) {
            try putAway(place, of: target, was: nil, .viewInterrupted(target.path))
        } catch {
            return false
        }
        return true
    }
}

extension Engine {
    /// The bridge's views are read-only. A writable file belongs to a program, and is a document.
    mutating func removeOldViews() {
        for place in viewPublisher.old.sorted(by: { $0.path < $1.path }) {
            do {
                try removeOldView(place)
                try viewPublisher.forget(place, in: &journal)
            } catch {
                // Retried at the next full scan; until then it is not a document.
                continue
            }
            if isDocument(place.path) { debounceQueue.enqueue(place.path) }
        }
    }

    /// `true`: the file was not a document, but a view that is being removed.
    mutating func removeForgottenViews(in input: PlanInput) -> Bool {
        let views = ViewPublisher.forgotten(in: input, in: replicas)
        guard !views.isEmpty else { return false }
        for place in views { viewPublisher.insert(old: place) }
        removeOldViews()
        flushDiscards()
        return true
    }

    private mutating func removeOldView(_ place: Location) throws(FileError) {
        do throws(FileError) {
            guard let found = try ViewPublisher.status(of: place, in: replicas), found.isReadOnly else {
                return
            }
        } catch .notRegular {
            return
        }
        try takeAway(place)
    }
}

extension Side {
    init(_ container: DocumentView.Container) { self = container == .app ? .app : .group }

    var container: DocumentView.Container { self == .app ? .app : .group }
}
