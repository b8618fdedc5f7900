/// The container of an actor in Swift: the app's, or the App Group container of a widget.
///
/// Each call is a step of the schedule, or several: other actors may act before and between them. The code
/// runs again for every schedule, on any thread, so it must depend on nothing but the results of these calls.
/// It must not hold a lock or a task-local value during a call.
///
/// Every call throws ``RaceCallError``.
public struct RaceContainer {
    private let runner: CodeRunner

    init(_ runner: CodeRunner) { self.runner = runner }

    /// The bytes of a document; `nil` if it is absent. One step.
    public func read(_ document: String) throws(RaceCallError) -> [UInt8]? {
        try content(.read, document)
    }

    /// Writes a new file and renames it over the document. One step.
    public func write(_ bytes: some Sequence<UInt8>, to document: String) throws(RaceCallError) {
        try save(.writeFromMemory, bytes, document)
    }

    /// Opens and truncates the document, writes the first half, writes the second half, and closes it: four
    /// steps, between which others see half a document.
    public func truncateAndWrite(_ bytes: some Sequence<UInt8>, to document: String) throws(RaceCallError) {
        try save(.truncateAndWrite, bytes, document)
    }

    /// Overwrites the first half of the document, then the second, and closes it. Three steps.
    public func writeInPlace(_ bytes: some Sequence<UInt8>, to document: String) throws(RaceCallError) {
        try save(.writeInPlace, bytes, document)
    }

    /// Saves through the bridge, as `widgetbridge put --expect` does, unless the document has changed.
    ///
    /// - Parameters:
    ///   - bytes: the new content.
    ///   - document: its name.
    ///   - expected: the content that it replaces; `nil`: the document is absent.
    /// - Returns: `false` if the document has another content, and nothing was saved.
    public func put(
        _ bytes: some Sequence<UInt8>,
        to document: String,
        expecting expected: [UInt8]?
    ) throws(RaceCallError) -> Bool {
        var request = CodeRunner.Request(verb: .edit, document: try index(of: document))
        request.bytes = Array(bytes)
        request.expected = expected
        if case .refused = try runner.ask(request) { return false }
        return true
    }

    /// Deletes a document. One step.
    ///
    /// - Returns: `false` if it was absent.
    @discardableResult
    public func delete(_ document: String) throws(RaceCallError) -> Bool {
        let request = CodeRunner.Request(verb: .delete, document: try index(of: document))
        if case .refused = try runner.ask(request) { return false }
        return true
    }

    /// Subscribes to notices of a document. One step.
    public func subscribe(to document: String) throws(RaceCallError) {
        _ = try runner.ask(CodeRunner.Request(verb: .subscribe, document: try index(of: document)))
    }

    /// Waits for a notice of the document that came since the last such call, then reads it.
    ///
    /// It waits for ever without `subscribe(to:)` before it, and if there is no further notice.
    public func readOnNotice(of document: String) throws(RaceCallError) -> [UInt8]? {
        try content(.readOnNotice, document)
    }

    /// Lets simulated time pass.
    public func pause(for duration: Duration) throws(RaceCallError) {
        _ = try runner.ask(CodeRunner.Request(verb: .wait, duration: duration))
    }

    private func content(_ verb: Operation.Verb, _ document: String) throws(RaceCallError) -> [UInt8]? {
        let answer = try runner.ask(CodeRunner.Request(verb: verb, document: try index(of: document)))
        if case .content(let bytes) = answer { return bytes }
        return nil
    }

    private func save(
        _ verb: Operation.Verb,
        _ bytes: some Sequence<UInt8>,
        _ document: String
    ) throws(RaceCallError) {
        let request = CodeRunner.Request(verb: verb, document: try index(of: document), bytes: Array(bytes))
        _ = try runner.ask(request)
    }

    private func index(of document: String) throws(RaceCallError) -> Int {
        guard let index = runner.documents.firstIndex(of: document) else {
            throw .unknownDocument(document, known: runner.documents)
        }
        return index
    }
}

/// A call on a ``RaceContainer`` was not carried out.
public enum RaceCallError: Error, CustomStringConvertible {
    /// The run has ended: let this error end your code.
    case ended
    /// The scenario has no such document.
    case unknownDocument(String, known: [String])

    /// What is wrong, in one line.
    public var description: String {
        switch self {
        case .ended: "the run has ended"
        case .unknownDocument(let name, let known):
            "the scenario has no document `\(name)`; it has \(known.joined(separator: ", "))"
        }
    }
}
