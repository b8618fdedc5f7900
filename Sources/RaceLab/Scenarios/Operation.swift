package import Model

/// One thing an actor does. Each is carried out in steps, one system call each, and anything may come between
/// two of them.
package struct Operation: Sendable, Hashable {
    package enum Verb: String, CaseIterable, Sendable {
        // Of a program. What it saves is what it read last, with one new edit.
        /// Reads what is there and renames a new file over it, in one step: nothing comes in between.
        case write
        /// Renames a new file over what is there from memory, without a look.
        case writeFromMemory = "write-from-memory"
        /// Opens, truncates, writes the first half, the second half, closes.
        case truncateAndWrite = "truncate-and-write"
        /// Writes over the first half, then over the second, in a file that keeps its length.
        case writeInPlace = "write-in-place"
        /// Reads, and then saves by rename, with nothing that would notice a change in between.
        case readModifyWrite = "read-modify-write"
        /// Unlinks the old file before the new one has its name.
        case unlinkAndWrite = "unlink-and-write"
        /// The right way: reads from the bridge and puts with the hash that was read; again, if that is
        /// refused.
        case edit
        case read
        /// Waits for a notice of the document, then reads. Needs `subscribe` before it.
        case readOnNotice = "read-on-notice"
        case subscribe
        case delete
        /// Becomes a newer version of itself: reads, and saves what it read in that version, in one step.
        case migrate
        case wait
        /// So many of the above, as the stream of workloads draws them; none is left once a run begins.
        case anything

        // Of fate.
        /// The named agent is killed in whatever call it is, and started again.
        case crash
        /// The power goes: what no sync has reached may be lost.
        case cutPower = "cut-power"
    }

    package var verb: Verb
    package var document: RelativePath?
    /// What the edit sets, of a document that `holds` something as a JSON Pointer; by default each program
    /// has a field of its own.
    package var field: String?
    /// Another field that the same save sets to the same value: a document that holds one edit in only one of
    /// the two was saved by nobody.
    package var secondField: String?
    /// How long to wait.
    package var duration: Duration?
    /// Whom to crash.
    package var target: String?
    /// The version to migrate to.
    package var version: Int?
    /// How many are to be drawn.
    package var count: Int?

    package init(
        _ verb: Verb,
        _ document: RelativePath? = nil,
        field: String? = nil,
        duration: Duration? = nil,
        target: String? = nil,
        version: Int? = nil,
        count: Int? = nil
    ) {
        self.verb = verb
        self.document = document
        self.field = field
        self.duration = duration
        self.target = target
        self.version = version
        self.count = count
    }

    /// What a program would do in its place that knows the bridge.
    var remedied: Operation {
        var operation = self
        if verb == .readModifyWrite || verb == .writeFromMemory { operation.verb = .edit }
        return operation
    }
}

extension Operation.Verb {
    /// Whether it is about a document.
    var needsDocument: Bool {
        switch self {
        case .wait, .anything, .crash, .cutPower: false
        default: true
        }
    }

    /// Whether a program may get by it what is torn or old, and believe it.
    var isRead: Bool {
        switch self {
        case .read, .readOnNotice, .readModifyWrite, .edit, .anything: true
        default: false
        }
    }

    /// Whether it is done by fate, and not by a program.
    var isOfFate: Bool { self == .crash || self == .cutPower }

    /// Whether it changes a document.
    package var isWrite: Bool {
        switch self {
        case .write, .writeFromMemory, .truncateAndWrite, .writeInPlace, .readModifyWrite, .unlinkAndWrite,
            .edit, .migrate,
            .delete:
            true
        default: false
        }
    }
}
