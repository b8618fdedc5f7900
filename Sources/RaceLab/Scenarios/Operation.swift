package import Model

/// An operation of an actor. Each takes one step per system call, and other actors may act between two steps.
package struct Operation: Sendable, Hashable {
    package enum Verb: String, CaseIterable, Sendable {
        // Operations of a program. A save has the last content that it read, with one new edit.
        /// Reads the document and renames a new file over it, in one step, so that nothing comes in between.
        case write
        /// Renames a new file over the document, with the content in memory, without reading.
        case writeFromMemory = "write-from-memory"
        /// Opens, truncates, writes the first half, writes the second half, closes.
        case truncateAndWrite = "truncate-and-write"
        /// Overwrites the first half, then the second, in a file that keeps its length.
        case writeInPlace = "write-in-place"
        /// Reads, and then saves by rename, without noticing a change in between.
        case readModifyWrite = "read-modify-write"
        /// Removes the old file before it renames the new one.
        case unlinkAndWrite = "unlink-and-write"
        /// The correct way: reads from the bridge and puts with the hash that was read; repeats if that is
        /// refused.
        case edit
        case read
        /// Waits for a notice of the document, then reads. Needs `subscribe` before it.
        case readOnNotice = "read-on-notice"
        /// Waits until the document on its own side has a field, or a value there; then as `read`.
        case until
        /// Goes on only if the document, as it knows it, has a field, or a value there; else it ends.
        case ifHolds = "if"
        case subscribe
        case delete
        /// Updates the program: reads, and saves the document in the new version, in one step.
        case migrate
        case wait
        /// The user taps on the widget: an event is pushed on its way to the app.
        case tap
        /// Pulls the events that wait, handles them, and acknowledges them.
        case takeTaps = "take-taps"
        /// This many random operations of the above; they are drawn before a run starts.
        case anything

        // Operations of fate.
        /// Kills the named agent in its current call, or the named program between two of its steps, and
        /// restarts it.
        case crash
        /// Cuts the power: unsynced changes may be lost.
        case cutPower = "cut-power"
        /// Puts the wall clock back by some time.
        case putClockBack = "put-clock-back"
    }

    package var verb: Verb
    package var document: RelativePath?
    /// The field that the edit sets, as a JSON Pointer, in a document with `holds`; by default each program
    /// has its own field.
    package var field: String?
    /// A second field that the same save sets to the same value: no program saved a document with the edit in
    /// only one of the two.
    package var secondField: String?
    /// The JSON value that a condition compares the field with; `nil`: the field is there.
    package var value: String?
    /// How long to wait.
    package var duration: Duration?
    /// The agent or the program to crash.
    package var target: String?
    /// The version to migrate to.
    package var version: Int?
    /// How many operations to draw.
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

    /// The fields that it sets in the document.
    func fields(of document: ScenarioDocument, _ lane: Int) -> [String] {
        let own = document.holds == nil ? "k\(lane)" : "/k\(lane)"
        return [field ?? own] + [secondField].compactMap(\.self)
    }

    /// What a program that knows the bridge would do instead.
    ///
    /// - Parameters:
    ///   - isHeard: the bridge hears what programs read.
    ///   - isKilled: its program may be killed at any step.
    func remedied(isHeard: Bool, isKilled: Bool) -> Operation {
        var operation = self
        switch verb {
        case .readModifyWrite, .writeFromMemory: if !isHeard { operation.verb = .edit }
        case .truncateAndWrite, .writeInPlace, .unlinkAndWrite: if isKilled { operation.verb = .write }
        default: break
        }
        return operation
    }
}

extension Operation.Verb {
    /// Whether it needs a document.
    var needsDocument: Bool {
        switch self {
        case .wait, .tap, .takeTaps, .anything, .crash, .cutPower, .putClockBack: false
        default: true
        }
    }

    /// Whether what comes after depends on a field of the document.
    var isCondition: Bool { self == .until || self == .ifHolds }

    /// Whether it reads a document without checks, so that it may use torn or old content.
    var isRead: Bool {
        switch self {
        case .read, .readOnNotice, .until, .readModifyWrite, .edit, .anything: true
        default: false
        }
    }

    /// Whether it sets a field of the document.
    var setsField: Bool { isWrite && self != .delete }

    /// Whether a program only waits in it, for a notice or until some time has passed.
    var isPause: Bool { [.wait, .readOnNotice, .until].contains(self) }

    /// Whether fate does it, not a program.
    package var isOfFate: Bool { [.crash, .cutPower, .putClockBack].contains(self) }

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
