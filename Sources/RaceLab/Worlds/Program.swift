import Documents

/// A program and its progress through its operations.
struct Program<Writer: RaceBackendWriter> {
    /// Its copy of a document in memory.
    struct Memory {
        var version: Int
        var draft: Draft
    }

    /// The current operation, and the number of its completed steps.
    var operation = 0
    var phase = 0
    var memory: [Memory?]
    /// The version of its documents.
    var version: Int?
    var writer: Writer?
    /// The content that it is about to save.
    var next: Memory?
    /// All contents that it was about to save, by document.
    private var earlier: [[Draft]]
    /// The hash that it read before a put.
    var expected: Int?
    /// The events that it has pulled.
    var taps: [String] = []
    /// Documents with a notice that it has not read since.
    var inbox: UInt32 = 0
    var subscribed: UInt32 = 0
    /// A condition did not hold, so it does nothing more.
    var isOver = false
    /// Its process was killed, and has not been launched again.
    var isDead = false
    /// How often it was killed: an answer to an earlier process reaches nobody.
    var kills = 0
    /// The subscriptions of the killed process, which the next one makes again.
    var lapsed: UInt32 = 0

    init(_ actor: ScenarioActor, documents: Int) {
        memory = Array(repeating: nil, count: documents)
        earlier = Array(repeating: [], count: documents)
        version = actor.version
    }

    /// Records what it is about to save; returns its own earlier edits whose fields this edit sets, under
    /// whichever names another version of the document has for them.
    mutating func replaced(
        by edit: Int,
        of fields: [String],
        in document: Int,
        _ draft: Draft,
        _ rule: DocumentRule?
    ) -> Set<Int> {
        defer { earlier[document].append(draft) }
        return earlier[document].reduce(into: []) { replaced, earlier in
            // Compared in this version: an edit that the translation loses is not replaced.
            guard let before = earlier.translated(to: version, rule) else { return }
            var after = before
            for field in fields { after.set(field, to: edit) }
            let gone = before.edits.subtracting(after.edits)
            replaced.formUnion(gone.filter { Edit.lane(of: $0) == Edit.lane(of: edit) })
        }
    }

    /// What it waits for at the end; `nil` if it has no operation left.
    func wait(_ lane: Int, in scenario: Scenario) -> Rest.Wait? {
        isOver ? nil : Rest.Wait(lane, operation: operation, of: scenario)
    }

    /// After its process was killed, with what is on its disk: its version, and how far it has come.
    func killed(_ actor: ScenarioActor, isOperationOver: Bool) -> Program {
        var program = Program(actor, documents: memory.count)
        program.operation = operation + (isOperationOver ? 1 : 0)
        program.version = version
        program.earlier = earlier
        program.isDead = true
        program.isOver = isOver
        program.kills = kills + 1
        program.lapsed = subscribed | lapsed
        return program
    }
}

/// The number of an edit contains its author, and has the same length for all authors.
enum Edit {
    private static let perLane = 100_000

    static func number(_ lane: Int, _ operation: Int) -> Int { (lane + 1) * perLane + operation + 1 }
    package static func lane(of edit: Int) -> Int { edit / perLane - 1 }
    package static func operation(of edit: Int) -> Int { edit % perLane - 1 }
}
