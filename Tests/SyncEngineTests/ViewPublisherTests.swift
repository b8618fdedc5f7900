import DirectoryReplica
import Documents
import FileSystem
import FileSystemSimulation
import Model
import Replica
import StateStore
import SyncEngine
import Testing

/// Which files are views that the bridge published, and which belong to programs; without an engine.
@Suite final class ViewPublisherTests {
    private let disk = SimulatedDisk()
    private let profile: Profile
    private let view = inGroup("a.v1.json")
    private var marked: ContainerPair { pair("a") }
    private var views = ViewPublisher()
    private let log = FaultyJournal()
    private var journal: JournalBuffer

    init() throws {
        profile = try ViewWorld(views: "{group: [1]}").profile
        journal = try JournalBuffer(log, profile: nil, changesProfile: false)
    }

    private func isTaken(_ containers: ContainerPair? = nil, by text: String = "1") throws -> Bool {
        let bytes = Array(text.utf8)
        return try views.isTaken(
            view,
            by: bytes,
            in: containers ?? marked,
            limit: 100
        )
    }

    private func pair(_ app: String?, _ group: String? = "g") -> ContainerPair {
        ContainerPair(BothSides(of: disk), marks: BothSides(app: app, group: group), number: 1)
    }

    private func areAsSeen() -> Bool {
        views.areAsSeen(profile.documents.flatMap(\.views), isAgreed: true, in: BothSides(of: disk))
    }

    @Test func `an existing file belongs to a program, unless it equals the view or cannot be identified`()
        throws
    {
        #expect(try !isTaken(), "nothing is there")
        disk.world.save(view, Array("2".utf8))
        #expect(try isTaken() && !isTaken(by: "2"))
        #expect(try !isTaken(pair(nil, nil)))
        try views.remember(view, in: &journal)
        #expect(try !isTaken(), "the journal knows the place")
    }

    @Test func `a publication is recognized only by the mark of this pair`() throws {
        let id = try #require(marked.id)
        let staged = try disk.stage(
            Array("2".utf8),
            digest: Digest(of: Array("2".utf8)),
            for: view,
            replacing: nil,
            like: nil,
            number: 1,
            synced: false,
            mark: PublicationMark(.view, pair: id, generation: 1, source: nil)
        )
        _ = try disk.publish(staged, replacing: false)
        #expect(try !isTaken())
        #expect(try isTaken(pair("b")))
    }

    @Test func `a directory in its place is not a view`() throws {
        disk.world.makeDirectory(view)
        #expect(throws: FileError.self) { _ = try self.isTaken() }
    }

    @Test func `a dry run reports what blocks a view`() throws {
        #expect(try foreseen() == nil, "nothing is there")
        disk.world.save(view, Array(ViewWorld.v1.utf8))
        #expect(try foreseen() == nil, "it says the same")
        disk.world.save(view, Array("2".utf8))
        #expect(try foreseen() == .taken(view: "a.v1.json"))
    }

    @Test func `a directory that blocks a view is anticipated`() throws {
        disk.world.makeDirectory(view)
        #expect(try foreseen() == .notRegular(view: "a.v1.json"))
    }

    /// The app's side has a document that is about to be agreed.
    private func foreseen() throws -> ViewProblem? {
        let (rule, document) = (profile.rule(for: "a.json"), inApp("a.json").path)
        let agreed = try Situation(rule: rule, app: Text(ViewWorld.v1, version: 1)).planned().agreed
        views.forgetProblem(of: document)
        views.foresee(rule, of: document, agreed, in: marked, limit: 100)
        return views.problem(of: document)?.reason
    }

    @Test func `a view is unchanged until a program touches it, or its time stamp is inconclusive`() throws {
        disk.world.save(view, [1])
        #expect(!areAsSeen())
        let signature = try disk.status(of: view).signature
        views.remember(PublishedView(digest: Digest(of: [1]), signature: nil), at: view)
        #expect(!areAsSeen())
        views.remember(PublishedView(digest: Digest(of: [1]), signature: signature), at: view)
        #expect(areAsSeen() && views.seen(at: view)?.digest == Digest(of: [1]))
        disk.now += 1
        disk.world.save(view, [2])
        #expect(!areAsSeen())
        views.remember(nil, at: view)
        #expect(views.seen(at: view) == nil)
    }

    @Test func `the journal tells the next run which views the profile no longer has`() throws {
        try views.remember(view, in: &journal)
        let text = try #require(try log.value(of: PublishedViews.key))
        #expect(views.old.isEmpty && !views.isOld(view.path))

        views = ViewPublisher(PublishedViews(text: text, profile))
        #expect(views.old.isEmpty)
        views = ViewPublisher(PublishedViews(text: text, nil))
        #expect(views.old == [view] && views.isOld(view.path))
        try views.forget(view, in: &journal)
        #expect(try views.old.isEmpty && log.value(of: PublishedViews.key) == "")
        views.insert(old: view)
        #expect(views.isOld(view.path))
    }

    @Test func `a place that the journal does not have is not a view's`() throws {
        log.failsToWrite = { _ in true }
        #expect(throws: JournalError.self) { try self.views.remember(self.view, in: &self.journal) }
        disk.world.save(view, Array("2".utf8))
        #expect(try isTaken())
        views.insert(old: view)
        #expect(throws: JournalError.self) { try self.views.forget(self.view, in: &self.journal) }
        #expect(views.isOld(view.path))
        let attempts = log.attempts
        try views.remember(view, in: &journal)
        #expect(log.attempts == attempts, "it has that")
    }

    @Test func `a problem with a document's views is known until they are published again`() {
        let document = inApp("a.json").path
        views.remember(.notRegular(view: "a"), on: .app, of: document)
        views.remember(.taken(view: "b"), on: .group, of: document)
        let problem = views.problem(of: document)
        #expect(problem?.side == .group && problem?.reason == .taken(view: "b"))
        views.forgetProblem(of: document)
        #expect(views.problem(of: document) == nil)
    }

    @Test func `a program's file with the name of a view is misnamed until it is gone or the view's`() throws
    {
        let document = inApp("a.json").path
        let rules = DocumentRules(profile, fixed: BothSides(app: nil, group: nil), pins: nil)
        func isMisnamed() -> Bool {
            let row = views.misnamedRow(view.path, rules)
            #expect(views.misnamedRows(rules) == [row].compactMap(\.self))
            return row?.reason == .held(.viewName(of: document)) && row?.side == .group
        }
        let replicas = BothSides<any Replica>(of: disk)
        views.check(name: view, in: replicas)
        #expect(!isMisnamed(), "nothing is there")
        disk.world.save(view, Array("2".utf8))
        views.check(name: view, in: replicas)
        #expect(isMisnamed())
        views.remember(.taken(view: view.path.description), on: .group, of: document)
        #expect(!isMisnamed(), "reported as a problem of the view")
        views.forgetProblem(of: document)
        #expect(isMisnamed())
        views.checkMisnamed(beneath: nil, on: .group, in: replicas)
        #expect(isMisnamed())
        try views.remember(view, in: &journal)
        #expect(!isMisnamed(), "it is the bridge's")
    }

    @Test func `a temporary file identifies its view`() throws {
        let digest = Digest(of: [1])
        func temporary(of place: Location) throws -> (Location, TemporaryName) {
            let staged = try disk.stage(
                [1],
                digest: digest,
                for: place,
                replacing: nil,
                like: nil,
                number: 1,
                synced: false
            )
            return (staged.temporary, try #require(TemporaryName(staged.temporary.path.name)))
        }
        let (place, name) = try temporary(of: view)
        #expect(views.target(of: name, at: place, profile) == view)
        #expect(views.target(of: name, at: place, nil) == nil)
        views.insert(old: view)
        #expect(views.target(of: name, at: place, nil) == view)
        let (other, another) = try temporary(of: inGroup("a.json"))
        #expect(views.target(of: another, at: other, profile) == nil)
    }
}
