import Documents
import Model
import Replica
import StateStore

/// Handles a merge of both sides that a killed run had published and not recorded.
///
/// What each side had before the merge is still in its temporary file, so the merge is computed again. It
/// counts only if the names of the temporary files confirm it.
extension Engine {
    /// - Parameter leftovers: All temporary files of earlier runs; none of them is removed yet.
    mutating func resumeMerges(_ leftovers: [(place: Location, name: TemporaryName)], at now: Moment) {
        // The displaced files of this run are known, and their merges recorded.
        let merges = leftovers.filter { place, name in
            !name.isCarried && !writers.displacedFiles.contains(place) && !discards.contains(place)
        }
        for app in merges where app.place.side == .app && holdsExpected(app.place, app.name) {
            guard let document = document(of: app.name, in: app.place.path.directory),
                rules.isDocument(document)
            else { continue }
            let group = merges.filter {
                $0.place.side == .group && $0.name.document == app.name.document
                    && $0.place.path.directory == app.place.path.directory
            }
            for group in group {
                // A base that cannot be read now holds the document.
                guard let job = try? merge(of: document, app, group) else { continue }
                recordLate([job], at: now)
                break
            }
        }
    }

    /// The merge that displaced the app's file, as it was when the run was killed.
    private func merge(
        of document: RelativePath,
        _ app: (place: Location, name: TemporaryName),
        _ group: (place: Location, name: TemporaryName)
    ) throws(BaseFailure) -> PendingCommit? {
        guard let before = try base(of: document), let save = displaced(app.place, document),
            let left = displaced(group.place, document)
        else { return nil }
        let isWhole = holdsExpected(group.place, group.name)
        let still = isWhole ? left : unwritten(group, left, document)
        guard let other = still ?? inferred(group, left, of: save, document, before) else { return nil }
        let input = PlanInput(
            document: document,
            rule: rule(for: document),
            record: records[document],
            observed: BothSides(app: .content(save), group: .content(other)),
            pinned: rules.pinnedVersions(of: document),
            limits: limits
        )
        let plan = try plan(input) { () throws(BaseFailure) in before }
        guard case .content(let agreed) = plan.agreement,
            app.name.isContent(Digest(of: agreed.content.bytes(on: .app))),
            group.name.isContent(Digest(of: agreed.content.bytes(on: .group)))
        else { return nil }
        var job = PendingCommit(path: document, input: input, plan: plan)
        job.published = isWhole ? Set(Side.allCases) : [.app]
        job.isRaced = !isWhole
        job.isInferred = still == nil
        return job
    }

    /// The group's save, if it was not replaced and is still there.
    private func unwritten(
        _ group: (place: Location, name: TemporaryName),
        _ merged: DocumentSnapshot,
        _ document: RelativePath
    ) -> DocumentSnapshot? {
        guard group.name.isContent(merged.digest),
            case .content(let now) = look(.group, document, rehash: true, record: nil),
            group.name.isExpected(now.digest)
        else { return nil }
        return now
    }

    /// The group's save where its program has saved again since: what the merge changes in the app's save is
    /// what it had changed. The values are the same, the bytes may be others.
    private func inferred(
        _ group: (place: Location, name: TemporaryName),
        _ merged: DocumentSnapshot,
        of app: DocumentSnapshot,
        _ document: RelativePath,
        _ before: BaseContent
    ) -> DocumentSnapshot? {
        guard group.name.isContent(merged.digest),
            let base = snapshot(of: before.bytes(on: .group), document, merged.signature)
        else { return nil }
        let save = rule(for: document)
            .forwardMerge(
                merged.bytes,
                base: app.bytes,
                of: .group,
                onTopOf: base,
                between: .laterAndRest,
                limits: limits
            )
        return save.flatMap { snapshot(of: $0.bytes, document, merged.signature) }
    }

    private func displaced(_ place: Location, _ document: RelativePath) -> DocumentSnapshot? {
        guard let side = place.side, let bytes = try? contents(of: place),
            let signature = try? replicas[side].signature(of: place.path, isKnown: false)
        else { return nil }
        return snapshot(of: bytes, document, signature)
    }

    private func snapshot(of bytes: [UInt8], _ document: RelativePath, _ signature: Signature)
        -> DocumentSnapshot?
    {
        let content = FileContent(bytes: bytes, digest: Digest(of: bytes), signature: signature)
        return if case .content(let snapshot) = understand(content, document) { snapshot } else { nil }
    }
}
