import Model

/// A program on its way through its operations.
struct Program<Writer: RaceBackendWriter> {
    /// What it holds in memory of a document.
    struct Memory {
        var version: Int
        var draft: Draft
    }

    /// The operation it is at, and how many of its steps are done.
    var operation = 0
    var phase = 0
    var memory: [Memory?]
    /// The version of documents it speaks.
    var speaks: Int?
    var writer: Writer?
    /// What it is about to save.
    var next: Memory?
    /// The hash it read before a put.
    var expected: Int?
    /// Told of, and not yet read.
    var inbox: UInt32 = 0
    var subscribed: UInt32 = 0

    init(_ actor: ScenarioActor, documents: Int) {
        memory = Array(repeating: nil, count: documents)
        speaks = actor.version
    }
}

/// The number of an edit tells whose it is, and is as long for everybody's.
enum Edit {
    private static let perLane = 100_000

    static func number(_ lane: Int, _ operation: Int) -> Int { (lane + 1) * perLane + operation + 1 }
    package static func lane(of edit: Int) -> Int { edit / perLane - 1 }
    package static func operation(of edit: Int) -> Int { edit % perLane - 1 }
}
