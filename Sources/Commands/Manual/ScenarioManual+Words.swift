import RaceLab

// The words of scenarios, as the manual explains them.

extension ScenarioActor.Kind {
    var manual: String {
        switch self {
        case .app: "A program that uses the app's container."
        case .widget: "A program that uses the App Group container."
        case .agent: "A bridge. It has no operations: it acts when it has something to do."
        case .fate: "Crashes, power cuts, and a clock that is set."
        }
    }
}

extension Operation.Verb {
    /// The value's syntax, and what the operation does.
    var manual: (value: String, text: String) {
        switch self {
        case .write: (Self.document, "Reads, and renames a new file over the document, in one step.")
        case .writeFromMemory:
            (
                Self.document,
                "Renames a new file over the document, with what is in memory, without reading it."
            )
        case .truncateAndWrite:
            (Self.document, "Opens the document and truncates it, writes the two halves, and closes it.")
        case .writeInPlace:
            (
                Self.document,
                "Writes over the first half, then over the second, in a file that keeps its length."
            )
        case .readModifyWrite:
            (Self.document, "Reads, and then saves by rename, without a check for changes in between.")
        case .unlinkAndWrite: (Self.document, "Removes the old file, and then renames the new one.")
        case .edit:
            (
                Self.document,
                """
                Reads, and has the bridge put the new content if the document still has the hash that was \
                read; if the bridge refuses, it repeats both.
                """
            )
        case .read: (Self.document, "Reads.")
        case .readOnNotice:
            (Self.document, "Waits for a notice of the document, and reads. Needs a `subscribe` before it.")
        case .until:
            (
                "<document>",
                """
                Waits until the document has the `field`, with the value in `is` if there is one, and reads \
                it. It blocks: only a change of the document makes it go on.
                """
            )
        case .ifHolds:
            (
                "<document>",
                """
                Goes on only if the document, as the program has read or saved it last, has the `field`, \
                with the value in `is` if there is one; else it leaves out all operations that follow.
                """
            )
        case .subscribe: (Self.document, "Subscribes to the notices of the document.")
        case .delete: (Self.document, "Deletes the document.")
        case .migrate:
            (
                Self.document,
                """
                Updates the program: reads, and saves the document in the newer `version`, in one step. \
                Needs a `profile`.
                """
            )
        case .wait:
            (
                "<time>",
                "Pauses, at most \(ScenarioLimits.wait.components.seconds)s. Fate can do this, too."
            )
        case .tap: ("", "Pushes an event: the user has tapped on the widget.")
        case .takeTaps: ("", "Pulls the events that wait, handles them, and acknowledges them.")
        case .anything:
            (
                "<number>",
                "This many random operations that need no profile, drawn by the seed before a run starts."
            )
        case .crash:
            (
                "<actor>",
                "Kills this agent in any of its system calls, or this program, and launches it again."
            )
        case .cutPower: ("", "Cuts the power. What was not synced may be lost.")
        case .putClockBack:
            (
                "<time>",
                "Puts the wall clock back, at most \(ScenarioLimits.wait.components.seconds)s."
            )
        }
    }

    private static var document: String { "[<document>]" }
}

extension EngineKind {
    var manual: String {
        switch self {
        case .widgetbridge: "Widgetbridge's own engine."
        case .copier: "Copies each changed file to the other side, the app's first, without looking there."
        case .deaf: "Ignores who reads, and takes every save for one on top of its last publication."
        case .statRecheck:
            "Checks with `stat` before it renames over a document, and does not look at what it displaced."
        case .sharedState: "Has no lock, and shares its journal with the other agents of this engine."
        case .swapBack: "Swaps a displaced file back if its content is not the expected one."
        case .unlinkThenRename: "Removes the old file before it renames the new one."
        case .notifyBeforeRename: "Notifies subscribers before it writes."
        case .shortDebounce: "Waits a thousandth of the time that it should before it notifies again."
        case .trustsCoarseTimes:
            "Takes a file as unchanged if its size and time are, however coarse the times are."
        case .trustsInodes: "Takes a file as unchanged if its inode number and size are."
        case .readsOpenFiles: "Does not ask whether a program has a document open for writing."
        case .baseBeforeFiles: "Records that both sides agree before it has written the files."
        case .baseBetweenSides: "Records that both sides agree after it has written the first of two."
        case .forgetsNewest: "Drops the fields that the older of two versions cannot represent."
        case .reloadsAtOnce: "Reloads a widget with each visible change, however soon after the last one."
        case .reloadsForNothing: "Reloads a widget for changes that it ignores, too."
        case .staleOnWrite: "Checks only with the next change whether what a widget shows is stale."
        case .trustsClock: "Waits until the wall clock shows some time, even if it was put back."
        case .tapsInMemory: "Keeps events in its memory, and not on the disk."
        }
    }
}

extension AnomalyKind {
    var manual: String {
        switch self {
        case .tornRead: "A reader got bytes that no program wrote as a whole."
        case .staleRead: "The bridge had nothing left to do, and a reader missed an earlier save."
        case .overtakenRead:
            "A reader missed a save that an exchange had displaced, after the merge that should restore it."
        case .nonMonotonicRead: "A reader saw a save, and then, in the same container, a state without it."
        case .dirtyRead: "A reader saw a content that was then taken back."
        case .lostUpdate: "An acknowledged save is in no container and no conflict copy at the end."
        case .resurrectedDeletion:
            "A document that was deleted, and that no program has saved since, exists."
        case .divergence: "All actors are idle, and the two sides differ."
        case .pingPong: "A bridge writes contents over and over that it wrote before."
        case .duplicateReload: "A subscriber got two notices of the same content."
        case .outOfOrderReload: "A subscriber got notices in the wrong order."
        case .missedReload: "All actors are idle, and a subscriber got no notice of the current state."
        case .prematureReload: "A subscriber got a notice of data that cannot be read yet."
        case .reloadStorm: "A subscriber got many notices within a short time."
        case .frozenWidget: "A placed widget shows an old state, though its budget would allow a reload."
        case .staleAsFresh: "A placed widget was not told that what it shows has become stale."
        case .lostTap: "A tap never reaches the app."
        case .deadlock:
            """
            All actors are idle, and a program waits for an answer or a notice that never comes, or gets to \
            an operation in no schedule.
            """
        case .ownCheck:
            "A check of the whole run failed, which is written in Swift; see `race run` for commands."
        }
    }
}
