import RaceLab
import TestWorld
import Testing

@Suite("The verdict of a search", .threadPerTest)
struct ProofTests {
    private func report(_ yaml: String, _ change: (inout ExploreOptions) -> Void) throws -> ExplorationReport
    {
        var options = ExploreOptions()
        change(&options)
        var explorer = Explorer(try Scenario(yaml: yaml, file: "proof"), options)
        return explorer.explore()
    }

    /// Each program reads both documents and writes one: together they may break what holds between the two.
    private static let writeSkew = """
        documents: [alice.json, bob.json]
        actors:
          app: {does: [{read: alice.json}, {read: bob.json}, {write: alice.json}]}
          helper: {kind: app, does: [{read: alice.json}, {read: bob.json}, {write: bob.json}]}
          agent: {}
        """

    @Test("of several documents says that nothing between them was checked")
    func severalDocuments() throws {
        let proof = try report(Self.writeSkew) { $0.bound = 0 }.proof
        #expect(proof == ": a proof within the bound for each document, not of what holds between them")
    }

    @Test("of one document is a proof without a limit of that kind")
    func oneDocument() throws {
        let yaml = "{documents: [a.json], actors: {app: {does: [write]}, agent: {}}}"
        let proof = try report(yaml) { $0.bound = 2 }.proof
        #expect([": a proof", ": a proof within the bound"].contains(proof), "\(proof)")
    }

    @Test("keeps the fields that a scenario names, and so the race that was found")
    func fields() throws {
        let yaml = """
            documents: [{name: c.json, holds: '{"n":"0"}'}]
            actors:
              app: {does: [{read-modify-write: c.json, field: /n}]}
              helper: {kind: app, does: [{read-modify-write: c.json, field: /n}]}
              agent: {}
            """
        let finding = try #require(try report(yaml) { _ in }.findings.first)
        let fields = finding.saved.scenario.actors.flatMap(\.operations).map(\.field)
        #expect(!fields.isEmpty && fields.allSatisfy { $0 == "/n" })
    }
}
