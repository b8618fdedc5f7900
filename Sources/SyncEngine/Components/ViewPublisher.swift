package import Documents
package import Model
package import Replica
package import StateStore

/// A view's file when it was last seen to be correct.
package struct PublishedView: Sendable, Hashable {
    package var digest: Digest
    /// `nil` if a later change could have the same signature.
    package var signature: Signature?

    package init(digest: Digest, signature: Signature?) {
        (self.digest, self.signature) = (digest, signature)
    }
}

/// Knows which files are views that the bridge published, and which belong to a program.
///
/// It keeps the locations of views, when each was last correct, and why the views of a document are not. A
/// location starts or stops being a view's once the journal has recorded it. It reads the disk, but writes
/// nothing: the engine publishes and removes.
package struct ViewPublisher: Sendable {
    private var published: PublishedViews
    private var seen: [Location: PublishedView] = [:]
    private var problems: [RelativePath: (side: Side, reason: ViewProblem)] = [:]
    /// Files of programs whose names are reserved for views.
    private var misnamed: BothSides<Set<RelativePath>> = BothSides(app: [], group: [])

    package init(_ published: PublishedViews = PublishedViews()) { self.published = published }

    /// As the journal has them.
    init(of journal: any Journal, _ profile: Profile?) throws(JournalError) {
        self.init(PublishedViews(text: try journal.value(of: PublishedViews.key) ?? "", profile))
    }

    // MARK: Locations

    /// Views that the profile no longer has. Until their files are removed, they are not documents.
    package var old: Set<Location> { published.old }

    package func isOld(_ path: RelativePath) -> Bool { published.isOld(path) }

    /// Called before a view is first published. A document of that name is no longer one.
    package mutating func remember(
        _ place: Location,
        in journal: inout JournalBuffer
    ) throws(JournalError) {
        guard !published.places.contains(place) else { return }
        var next = published
        next.insert(place)
        var entries = [JournalEntry.value(next.text, key: PublishedViews.key)]
        if let last = try journal.lastGenerations(of: [place.path])[place.path] {
            entries.append(.gone(place.path, generation: last))
        }
        try journal.record(entries)
        published = next
    }

    /// Neither the profile nor a journal restored from a backup has it.
    package mutating func insert(old place: Location) { published.insert(old: place) }

    /// Called once a view is removed. Its name may become a document's.
    package mutating func forget(
        _ place: Location,
        in journal: inout JournalBuffer
    ) throws(JournalError) {
        var next = published
        next.remove(place)
        try journal.record([.value(next.text, key: PublishedViews.key)])
        published = next
    }

    /// The view that a run was about to publish when it left this temporary file.
    package func target(of temporary: TemporaryName, at place: Location, _ profile: Profile?) -> Location? {
        let views = (profile?.documents ?? []).flatMap { $0.views.compactMap(\.place) }
        // The views of a pattern's documents are not in the profile. They are in `published`, which the
        // journal gets before a view is published.
        return (views + published.places).first {
            $0.directory == place.directory && temporary.belongs(to: $0.path)
        }
    }

    // MARK: Problems

    /// The problem of the last view, if several have one.
    package func problem(of document: RelativePath) -> (side: Side, reason: ViewProblem)? {
        problems[document]
    }

    package mutating func remember(_ problem: ViewProblem, on side: Side, of document: RelativePath) {
        problems[document] = (side, problem)
    }

    /// Called before its views are published again.
    package mutating func forgetProblem(of document: RelativePath) { problems[document] = nil }

    // MARK: Misnamed files

    /// Called when a directory was listed; `nil`: the container.
    package mutating func checkMisnamed(
        beneath directory: RelativePath?,
        on side: Side,
        in replicas: BothSides<any Replica>
    ) {
        for path in misnamed[side] where directory.map({ path.isInside($0) }) ?? true {
            check(name: Location(side, path), in: replicas)
        }
    }

    /// Called if there may be a file with the name of a view. The bridge's own are read-only.
    package mutating func check(name place: Location, in replicas: BothSides<any Replica>) {
        guard let side = place.side else { return }
        let found = published.places.contains(place) ? nil : try? Self.status(of: place, in: replicas)
        if let found, !found.isReadOnly {
            misnamed[side].insert(place.path)
        } else {
            misnamed[side].remove(place.path)
        }
    }

    /// Programs' files with the names of views, without those already reported because they prevent a view.
    package func misnamedRows(_ rules: DocumentRules) -> [DocumentRow] {
        Side.allCases.flatMap { side in
            misnamed[side].sorted().compactMap { misnamedRow($0, on: side, rules) }
        }
    }

    package func misnamedRow(_ path: RelativePath, _ rules: DocumentRules) -> DocumentRow? {
        Side.allCases.lazy.compactMap { misnamedRow(path, on: $0, rules) }.first
    }

    private func misnamedRow(_ path: RelativePath, on side: Side, _ rules: DocumentRules) -> DocumentRow? {
        guard misnamed[side].contains(path), !published.places.contains(Location(side, path)),
            let document = rules.document(ofView: path)
        else { return nil }
        if let known = problem(of: document), known.side == side,
            known.reason == .taken(view: path.description)
        {
            return nil
        }
        return DocumentRow(held: path.description, on: side, .viewName(of: document))
    }

    // MARK: State

    package func seen(at place: Location) -> PublishedView? { seen[place] }

    /// `nil`: it is removed, or is about to be.
    package mutating func remember(_ view: PublishedView?, at place: Location) { seen[place] = view }

    /// Whether the views of a document are unchanged since they were correct. `isAgreed`: there is a base to
    /// publish.
    package func areAsSeen(_ views: [DocumentView], isAgreed: Bool, in replicas: BothSides<any Replica>)
        -> Bool
    {
        views.allSatisfy { view in
            guard let place = view.place, let signature = seen[place]?.signature else { return false }
            return (try? replicas[of: place].status(of: place).signature) == signature && isAgreed
        }
    }

    /// Whether the file in a view's place was not published by the bridge, according to the journal and the
    /// file itself. Such a file stays. Where files cannot have publication marks, this is unknown.
    package func isTaken(
        _ place: Location,
        by view: [UInt8]?,
        in containers: ContainerPair,
        limit: Int
    ) throws(FileError) -> Bool {
        let replicas = containers.replicas
        guard let side = place.side, containers.isKnown(side), !published.places.contains(place),
            try Self.status(of: place, in: replicas) != nil
        else { return false }
        do {
            return try !replicas[side].isView(place.path, of: view, limit: limit, pair: containers.id)
        } catch .missing {
            return false
        }
    }

    /// For a dry run: the locations in which the bridge would not publish.
    package mutating func foresee(
        _ rule: DocumentRule,
        of document: RelativePath,
        _ agreed: Plan.Agreed?,
        in containers: ContainerPair,
        limit: Int
    ) {
        for view in rule.views {
            guard let place = view.place, let side = place.side else { continue }
            do throws(FileError) {
                guard try Self.status(of: place, in: containers.replicas) != nil, let agreed else { continue }
                let text = try? rule.text(of: view, agreed).get()
                if try isTaken(place, by: text, in: containers, limit: limit) {
                    remember(.taken(view: view.path), on: side, of: document)
                }
            } catch .notRegular {
                remember(.notRegular(view: view.path), on: side, of: document)
            } catch {}
        }
    }

    /// Views that neither the profile nor a journal restored from a backup has.
    package static func forgotten(in input: PlanInput, in replicas: BothSides<any Replica>) -> [Location] {
        Side.allCases.compactMap { side in
            let place = Location(side, input.document)
            guard input.snapshot(side)?.mark?.kind == .view,
                let found = try? status(of: place, in: replicas), found.isReadOnly
            else { return nil }
            return place
        }
    }

    /// `nil` if there is none; throws if it is not a regular file.
    package static func status(
        of place: Location,
        in replicas: BothSides<any Replica>
    ) throws(FileError) -> DocumentStatus? {
        do throws(FileError) {
            let status = try replicas[of: place].status(of: place)
            guard status.kind == .regular else { throw .notRegular(place, status.kind) }
            return status
        } catch .missing {
            return nil
        }
    }
}
