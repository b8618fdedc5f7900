import Documents
package import Model
import Replica
import StateStore

extension Engine {
    /// Reads one document on one side: through one descriptor, with a check of its status before and after.
    ///
    /// `record` is the base to compare with; without one the content is returned. `isOutdated`: the record
    /// was made with other versions of the profile, so the content is returned anyway. `rehash` reads the
    /// content even if a program has the file open.
    func look(
        _ side: Side,
        _ path: RelativePath,
        rehash: Bool,
        record: DocumentRecord?,
        isOutdated: Bool = false
    ) -> Observation {
        let known = isOutdated ? nil : record?.sides[side]
        let file = Location(side, path)
        if let problem = settings.obstacle(toName: path) { return .problem(problem) }
        if replicas[side].namesake(of: path) != nil { return .absent }
        do throws(ReadObstacle) {
            guard let signature = try replicas[side].signature(of: path, isKnown: record != nil) else {
                return .absent
            }
            if !rehash, signature == known?.signature { return .unchanged(signature) }
            if let own = writers.readerLog.own(at: file), own.signature == signature {
                if own.digest == known?.digest { return .unchanged(signature) }
                let content = FileContent(bytes: own.bytes, digest: own.digest, signature: signature)
                return understand(content, path)
            }
            if !rehash, writers.readerLog.isUndecided(file) { return .problem(.unheard) }
            let reading = try replicas[side].read(
                path,
                unless: known?.digest,
                seen: signature,
                mayWait: !rehash && openDocuments.mayWait(for: file),
                isKnown: record != nil,
                pair: containers.id
            )
            switch reading {
            case .absent: return .absent
            case .same(let signature): return .unchanged(signature)
            case .content(let content): return understand(content, path)
            }
        } catch {
            return .problem(Problem(error, maxBytes: settings.maxDocument))
        }
    }

    /// Without a base, single values are changes of the other side's document: what they do not express is
    /// not removed.
    mutating func composeOverOther(_ path: RelativePath) {
        for side in Side.allCases where records[path] == nil && replicas[side].composed.contains(path) {
            guard case .content(let other) = look(side.other, path, rehash: false, record: nil) else {
                continue
            }
            replicas[side].remember(other.bytes, of: path)
        }
    }

    /// The content; for a publication of the bridge, the known one.
    func content(_ side: Side, _ path: RelativePath) -> Observation {
        let seen = look(side, path, rehash: false, record: records[path])
        guard case .unchanged(let signature) = seen else { return seen }
        // Without one the file has the same content.
        let base = try? base(of: path)
        guard let digest = records[path]?.sides[side].digest, let bytes = base?.bytes(on: side),
            Digest(of: bytes) == digest
        else { return look(side, path, rehash: true, record: nil) }
        return understand(FileContent(bytes: bytes, digest: digest, signature: signature), path)
    }

    func understand(_ content: FileContent, _ path: RelativePath) -> Observation {
        Observation(content, by: rule(for: path), limits: limits)
    }

    /// The existing document whose name collides with the one that the plan would create.
    private func namesake(inTheWayOf plan: Plan, _ input: PlanInput) -> (side: Side, other: RelativePath)? {
        for side in Side.allCases where input.isAbsent(side) {
            guard case .content = plan.writes[side] else { continue }
            if let other = replicas[side].namesake(of: input.document) { return (side, other) }
        }
        return nil
    }

    /// Why it is not carried out: a store made anew, a colliding name, or a store that cannot hold it.
    func obstacle(to plan: Plan, _ input: PlanInput) -> (side: Side, problem: Problem)? {
        if let lost = lostStores.problem(with: input, in: replicas) { return lost }
        if let (side, other) = namesake(inTheWayOf: plan, input) { return (side, .namesake(other)) }
        for side in Side.allCases {
            guard case .content(let bytes) = plan.writes[side],
                let problem = replicas[side].obstacle(to: bytes, as: input.document)
            else { continue }
            return (side, .unstorable(problem))
        }
        return nil
    }

    // MARK: Writers

    /// Records writers and missing documents found by a read.
    mutating func recordLook(_ input: PlanInput, at now: Moment) {
        carryOut(lostStores.record(input, in: replicas))
        var (writers, isChanging) = ([Side](), false)
        for side in Side.allCases {
            if input.isAbsent(side) { containers.forgetSignature(of: Location(side, input.document)) }
            guard case .problem(let problem) = input.observed[side] else { continue }
            if problem.isBeingWritten { writers.append(side) }
            // What cannot be read may still be open: the wait for its writer does not begin anew.
            if problem.mayPass || problem.isRetried { isChanging = true }
        }
        let (path, now) = (input.document, now.uptime)
        openDocuments.record(path, beingWritten: writers, isChanging: isChanging, at: now, in: replicas)
    }

    /// A document was not replaced, because a program has it open.
    mutating func hasWriterInTheWay(_ file: Location, at now: Moment) -> Bool {
        if replicas[of: file].exchanges(file.path), !openDocuments.contains(file) { return false }
        return openDocuments.isInTheWay(file, at: now.uptime, in: replicas)
    }

    /// The current and displaced files of a document that a program keeps open for writing.
    package func filesHeldOpen(of path: RelativePath) -> [Location] {
        // A backup is there also while no program is.
        let isOpen = if case .unfinishedSave = holds[path]?.problem { false } else { true }
        return (isOpen ? openDocuments.open(of: path) : [])
            + writers.displacedFiles.places { $0.isHeldOpen && $0.document == path }
    }
}
