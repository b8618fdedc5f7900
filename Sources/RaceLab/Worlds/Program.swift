import Model

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
    var speaks: Int?
    var writer: Writer?
    /// The content that it is about to save.
    var next: Memory?
    /// The hash that it read before a put.
    var expected: Int?
    /// Documents with a notice that it has not read since.
    var inbox: UInt32 = 0
    var subscribed: UInt32 = 0

    init(_ actor: ScenarioActor, documents: Int) {
        memory = Array(repeating: nil, count: documents)
        speaks = actor.version
    }
}

/// The number of an edit contains its author, and has the same length for all authors.
enum Edit {
    private static let perLane = 100_000

    static func number(_ lane: Int, _ operation: Int) -> Int { (lane + 1) * perLane + operation + 1 }
    package static func lane(of edit: Int) -> Int { edit / perLane - 1 }
    package static func operation(of edit: Int) -> Int { edit % perLane - 1 }
}
