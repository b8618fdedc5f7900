package import Documents
package import Model
package import Replica
package import StateStore

/// A view as it was last seen to be right.
package struct PublishedView: Sendable, Hashable {
    package var digest: Digest
    /// `nil` where a later change could look the same.
    package var signature: Signature?

    package init(digest: Digest, signature: Signature?) {
        (self.digest, self.signature) = (digest, signature)
    }
}

/// Knows which files are views that the bridge has published, and which are somebody's own.
///
/// Owns where views are published, how each was last seen to be right, and why the views of a document are
/// not. A place is one of a view, or no more, once the journal knows that. It looks at the disk and writes
/// nothing there: the engine publishes and takes away.
package struct ViewPublisher: Sendable {
    private var published: PublishedViews
    private var seen: [Location: PublishedView] = [:]
    private var problems: [RelativePath: (side: Side, reason: ViewProblem)] = [:]

    package init(_ published: PublishedViews = PublishedViews()) { self.published = published }

    // MARK: Places

    /// Views that the profile no longer has. Until their files are gone they are no documents.
    package var old: Set<Location> { published.old }

    package func isOld(_ path: RelativePath) -> Bool { published.isOld(path) }

    /// Before a view is there for the first time. What its name stood for until then is a document no more.
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

    /// The profile does not have it, and neither does a journal that has gone back.
    package mutating func insert(old place: Location) { published.insert(old: place) }

    /// Once a view is gone. Its place may be one of a document.
    package mutating func forget(
        _ place: Location,
        in journal: inout JournalBuffer
    ) throws(JournalError) {
        var next = published
        next.remove(place)
        try journal.record([.value(next.text, key: PublishedViews.key)])
        published = next
    }

    /// The view that a run was about to publish when it left this temporary.
    package func target(of temporary: TemporaryName, at place: Location, _ profile: Profile?) -> Location? {
        let views = (profile?.documents ?? []).flatMap { $0.views.compactMap(\.place) }
        // Those of a pattern's documents are known by what was published, which is noted before.
        return (views + published.places).first {
            $0.directory == place.directory && temporary.belongs(to: $0.path)
        }
    }

    // MARK: What is wrong with them

    /// Of several that are not as they should be, the last one tells.
    package func problem(of document: RelativePath) -> (side: Side, reason: ViewProblem)? {
        problems[document]
    }

    package mutating func note(_ problem: ViewProblem, on side: Side, of document: RelativePath) {
        problems[document] = (side, problem)
    }

    /// Before its views are brought there once more.
    package mutating func forgetProblem(of document: RelativePath) { problems[document] = nil }

    // MARK: What is there

    package func seen(at place: Location) -> PublishedView? { seen[place] }

    /// `nil`: it is gone, or is to go.
    package mutating func note(_ view: PublishedView?, at place: Location) { seen[place] = view }

    /// Nobody has touched the views of a document since they were right. `isAgreed`: there is something to
    /// publish.
    package func areAsSeen(_ views: [DocumentView], isAgreed: Bool, in replicas: BothSides<any Replica>)
        -> Bool
    {
        views.allSatisfy { view in
            guard let place = view.place, let signature = seen[place]?.signature else { return false }
            return (try? replicas[of: place].status(of: place).signature) == signature && isAgreed
        }
    }

    /// A file that the bridge has not put into a view's place, by all that the journal and the file itself
    /// tell, is somebody's own, and stays. Where files bear no marks nobody can say.
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

    /// For a look that writes nothing: which places would not be the bridge's to publish in.
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
                    note(.taken(view: view.path), on: side, of: document)
                }
            } catch .notRegular {
                note(.notRegular(view: view.path), on: side, of: document)
            } catch {}
        }
    }

    /// Views that the profile no longer has, and that a journal which has gone back does not know either.
    package static func forgotten(in input: PlanInput, in replicas: BothSides<any Replica>) -> [Location] {
        Side.allCases.compactMap { side in
            let place = Location(side, input.document)
            guard input.snapshot(side)?.mark?.kind == .view,
                let found = try? status(of: place, in: replicas), found.isReadOnly
            else { return nil }
            return place
        }
    }

    /// `nil` where nothing is; throws where it is no file.
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
