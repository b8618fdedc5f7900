package import Model
package import Processes

/// Why finding no anomaly does not even prove that the observed run had none.
package enum ObservationDoubt: Fact {
    case ended(command: String, Ending)
    case agentEnded(Ending)
    /// What prints the reloads has ended, so that the last ones are not known.
    case reloadsEnded(command: String, Ending)
    case endedWithoutGate(command: String)
    case noGate(command: String, within: Duration)
    /// - Parameter looks: the files that it has looked at again and again.
    case notEnded(command: String, after: Duration, waits: [LockWait], looks: [String] = [])
    /// A player ran on beside the others, so that not only the order of calls decides what happens.
    case notControlled(RacePlayer, step: Int)
    case interrupted
    case nothingChanged
    case neverAtRest
    /// More events than can be recorded.
    case tooMuchToSee
    case tooManyDocuments(Int)
    case noReloadReported
    case unknownReloadLine(String)
    case directoryLost(Root)
    /// Of a document that cannot be read nothing is judged.
    case unreadable(Location, FileError)
    case kernelSilent(errno: Int32)
    /// The lab's own reads may have changed what these programs did.
    case readsHeard(by: [String])
    /// It ended, and processes that it started did not.
    case leftRunning(command: String)
    /// A check of the user's said neither yes nor no.
    case check(command: String, CheckTrouble)
    /// The program of that side reported a content that was never seen there.
    case saveNeverThere(Side, RelativePath, Digest?)
    case readNeverThere(Side, RelativePath, Digest?)
    /// Its system calls did not read what it reported to have read.
    case readNotMade(Side, RelativePath, Digest?)
    /// Another program's system calls made the save that it reported.
    case saveNotMade(Side, RelativePath, Digest?)
    /// It reported a save before that content was there, which the bridge may have brought.
    case saveReportedEarly(Side, RelativePath, Digest?, step: Int)
    /// How many contents were reported and never seen, if not all are listed.
    case neverThere(Int)
    /// The program of that side saved after it had reported `done`.
    case savedAfterDone(Side, RelativePath)
    /// The same, as far as the content shows.
    case changedAfterDone(Side, RelativePath, step: Int)
    /// The agent leaves this document as it is on both sides.
    case held(document: String, reason: String)
    /// The agent did not say what it holds.
    case heldUnknown
    /// A line that is none of the protocol, or names no document.
    case unknownLine(Side, String)
    /// How many such lines it wrote, if not all are listed.
    case unknownLines(Side, Int)
    /// A program's change was displaced by a step that may have known it, or not; or was none, but an old
    /// value that the program had in memory.
    case unclearLoss(RelativePath, places: String, saved: Int, gone: Int, isRemoval: Bool = false)
    /// A document was deleted and is there again, and whether somebody wanted that is not seen.
    case unclearDeletion(RelativePath, deleted: Int, back: Int)
    /// A document was given another name and is there again, and whether a program saved it so is not seen.
    case unclearMove(RelativePath, moved: Int, back: Int)
    /// A document had another name for a moment, and a program or the bridge had given it that.
    case unclearAbsence(RelativePath, Side, step: Int)
    /// Two processes saved the same, and the second one did not know the first one's save.
    case savedAlike(RelativePath, saved: Int, again: Int)
    /// Programs of both sides changed a number to the same one, and neither knew of the other's change.
    case countedAlike(RelativePath, place: String, Int, Int)
    /// Programs of one side may have lost what others of it had saved, and that was not judged.
    case lossUnjudged
    /// A content came past the gates.
    case ungated(count: Int)
    /// Half a content, which either the bridge or the side's own program wrote.
    case unclearTorn(RelativePath, Side, step: Int)
    /// A program read half a content, and whether that was its own work, or it read on, is not seen.
    case unclearRead(RelativePath, Side, step: Int)
    /// A program read a document in parts, and what it has in the end is not seen.
    case readInParts(RelativePath, Side, step: Int)
    /// A content that may be half a write: which programs had the file open then was not found out.
    case unclearWrite(RelativePath, Side, step: Int)
    case unclearPingPong(RelativePath)
    /// An older content came back, and a program or the bridge may have brought it.
    case unclearReturn(RelativePath, Side, step: Int)
    /// A notice that may repeat an earlier one.
    case unclearNotice(RelativePath, step: Int)
    /// A program wrote into a file whose name another one had taken.
    case wroteReplaced(RelativePath, Side, step: Int)
    /// A bridge wrote as a whole what is no JSON, and what no program had saved.
    case inventedContent(RelativePath, Side, step: Int)
    /// Half a content under a lock: whether who reads it takes the lock, too, is not seen.
    case lockedHalf(RelativePath, Side, step: Int)
    /// The first of several of one document, and how many there are.
    indirect case repeated(ObservationDoubt, count: Int)

    package var text: String {
        switch self {
        case .ended(let command, let ending): "`\(command)` \(ending.words)"
        case .agentEnded(let ending): "the agent \(ending.words)"
        case .reloadsEnded(let command, let ending):
            "`\(command)`, which reports the reloads, \(ending.words) before the observation was over"
        case .endedWithoutGate(let command): "`\(command)` ended before it reached a gate"
        case .noGate(let command, let limit): "`\(command)` did not reach a gate within \(limit)"
        case .notEnded(let command, let limit, let waits, let looks):
            "`\(command)` was still running after \(limit)\(waits.text)\(looks.lookText)"
        case .notControlled(let player, let step):
            "the order is not controlled from step \(step): \(player.name) ran on without a call or a wait"
        case .interrupted: "the observation was interrupted"
        case .nothingChanged: "nothing changed during the observation"
        case .neverAtRest: "the containers never came to rest"
        case .tooMuchToSee: "there were more events than can be recorded; the observation ended early"
        case .tooManyDocuments(let most): "there are more than \(most) documents"
        case .noReloadReported: "no line reported a reload or a current document"
        case .unknownReloadLine(let line): "unknown reload line: `\(line.prefix(80))`"
        case .directoryLost(let root): "the \(root.rawValue) directory was replaced or is gone"
        case .unreadable(let file, .notRegular(_, .symbolicLink)):
            "cannot read \(file), a symbolic link: the document is not judged"
        case .unreadable(let file, .notRegular):
            "cannot read \(file), which is no regular file: the document is not judged"
        case .unreadable(let file, _): "cannot read \(file): the document is not judged"
        case .kernelSilent(let errno): "the kernel reports no file events: \(systemMessage(errno))"
        case .readsHeard(let programs):
            "\(programs.joined(separator: ", ")) may have taken the lab's reads for those of another program"
        case .leftRunning(let command):
            "`\(command)` ended and left processes running, which may save after the observation"
        case .check(let command, let trouble): "the check `\(command)` \(trouble.text)"
        case .savedAfterDone(let side, let path):
            "\(side.program) saved \(path) after it told that it was done"
        case .changedAfterDone(let side, let path, let step):
            "\(side.program) told that it was done, and at step \(step) \(path) changed in \(side.rawValue) "
                + "to what \(side.other.rawValue) did not have"
        case .held(let document, let reason): "the agent holds \(document) and does not sync it: \(reason)"
        case .heldUnknown: "the agent did not tell which documents it holds"
        case .saveNeverThere(let side, let path, nil):
            "\(side.program) told that it deleted \(path), which was never seen to happen in \(side.rawValue)"
        case .saveNeverThere(let side, let path, let digest):
            "\(side.program) told that it saved \(path) as \(digest.words), which was never seen in "
                + side.rawValue
        case .saveNotMade(let side, let path, let digest):
            "\(side.program) told that it \(digest.map { "saved \(path) as \($0)" } ?? "deleted \(path)"), which "
                + "another program did, by its system calls"
        case .saveReportedEarly(let side, let path, let digest, let step):
            "\(side.program) told that it saved \(path) as \(digest.words) before step \(step), at which this came "
                + "to \(side.rawValue), and \(side.other.rawValue) had it before"
        case .readNeverThere(let side, let path, let digest):
            "\(side.program) told that it read \(path) as \(digest.words), which was never seen in "
                + side.rawValue
        case .readNotMade(let side, let path, let digest):
            "\(side.program) told that it read \(path) as \(digest.words), and no system call of it read that"
        case .unknownLine(let side, let line):
            "\(side.program) wrote a line to the lab that says nothing of a document: `\(line)`"
        case .unknownLines(let side, let count):
            "\(side.program) wrote \(count) such lines to the lab in all"
        case .neverThere(let count): "\(count) contents were told and never seen in all"
        case .unclearLoss(let path, let places, let saved, let gone, isRemoval: true):
            "\(places) was taken out of \(path) at step \(saved) and is there again since step \(gone), and whether "
                + "a program meant that, or saved from memory, is not seen"
        case .unclearLoss(let path, let places, let saved, let gone, isRemoval: false):
            "the value of \(places) in \(path) as of step \(saved) is gone since step \(gone), and whether a "
                + "program saved it from memory, or knew what it replaced, is not seen"
        case .unclearDeletion(let path, let deleted, let back):
            "\(path) was deleted at step \(deleted) and is there again since step \(back), and whether who deleted "
                + "and who saved it knew of each other is not seen"
        case .unclearMove(let path, let moved, let back):
            "\(path) was given another name at step \(moved) and is there again since step \(back), and whether a "
                + "program saved it so, or the bridge brought back what was moved away, is not seen"
        case .unclearAbsence(let path, let side, let step):
            "\(path) was given another name in \(side.rawValue) at step \(step), so that readers found none, and "
                + "whether a program did that to save it, or the bridge, is not seen"
        case .savedAlike(let path, let saved, let again):
            "another process saved \(path) as it was since step \(saved), after step \(again - 1), and had not "
                + "read that: whether it lost an update, as two steps of a counter that become one, the contents "
                + "do not tell (`--check` can)"
        case .countedAlike(let path, let place, let one, let other):
            "programs of both sides changed \(place.isEmpty ? "the whole" : place) in \(path) to the same number, at "
                + "steps \(one) and \(other), before they had each other's change: whether two steps of a counter "
                + "became one the contents do not tell (`--check` can)"
        case .lossUnjudged:
            "programs saved over what programs of the same side had saved, and whether an update was lost by that is "
                + "not seen (`--check` can tell)"
        case .ungated(let count):
            "\(counted(count, "change", "changes")) passed no gate: who made it, and what that program had read, is not judged"
        case .unclearTorn(let path, let side, let step):
            "\(path) was half written in \(side.rawValue) at step \(step), and who wrote it is not seen"
        case .unclearRead(let path, let side, let step):
            "a program read \(path) in \(side.rawValue) at step \(step) while it was half written, and whether it "
                + "took that for the whole is not seen"
        case .readInParts(let path, let side, let step):
            "a program read \(path) in \(side.rawValue) in several parts until step \(step) while it changed, and "
                + "whether it took parts of two contents for one is not seen"
        case .unclearWrite(let path, let side, let step):
            "\(path) may have been half written in \(side.rawValue) at step \(step): there was no time to find "
                + "out whether a program still had it open"
        case .lockedHalf(let path, let side, let step):
            "\(path) was half written in \(side.rawValue) at step \(step) under a lock, and whether programs read it "
                + "without the lock is not seen (it is in `race run --control calls`)"
        case .wroteReplaced(let path, let side, let step):
            "a program wrote after step \(step) into an open file of \(path) in \(side.rawValue), whose name "
                + "another file had taken: whether that was lost is not seen"
        case .inventedContent(let path, let side, let step):
            "the bridge wrote \(path) in \(side.rawValue) at step \(step) as what is no JSON, and what no program "
                + "had saved: what came of it is not judged"
        case .repeated(let first, let count): "\(first.text) (and \(count - 1) more like this)"
        case .unclearPingPong(let path):
            "the same contents of \(path) come again and again, and who brings them is not seen"
        case .unclearReturn(let path, let side, let step):
            "an older content of \(path) came back in \(side.rawValue) at step \(step), and whether a program had "
                + "put it back, or only the bridge did, is not seen (it is in `race run --control calls`)"
        case .unclearNotice(let path, let step):
            "widget was told of \(path) at step \(step), and whether its content had changed since the notice "
                + "before is not seen: the notices do not tell their content"
        }
    }
}

extension ObservationDoubt {
    /// The kind of anomaly that it leaves undecided, if it is one alone.
    var kind: AnomalyKind? {
        switch self {
        case .unclearLoss, .savedAlike, .countedAlike, .lossUnjudged, .inventedContent, .wroteReplaced:
            .lostUpdate
        case .unclearTorn, .unclearRead, .readInParts, .unclearWrite, .lockedHalf: .tornRead
        case .unclearPingPong: .pingPong
        case .unclearReturn, .unclearAbsence: .nonMonotonicRead
        case .unclearNotice: .duplicateReload
        case .unclearDeletion, .unclearMove: .resurrectedDeletion
        case .held, .heldUnknown: .divergence
        case .notEnded(_, _, let waits, _) where !waits.isEmpty: .deadlock
        case .repeated(let first, _): first.kind
        default: nil
        }
    }
}

extension ObservationDoubt {
    /// What a check of the user's decides instead.
    var isLeftToCheck: Bool {
        switch self {
        case .savedAlike, .countedAlike: true
        case .repeated(let first, _): first.isLeftToCheck
        default: false
        }
    }
}

extension ObservationDoubt {
    /// Whether it says the same of other steps of that document.
    private func isLike(_ other: ObservationDoubt) -> Bool {
        switch (self, other) {
        case (.unclearLoss(let one, _, _, _, _), .unclearLoss(let two, _, _, _, _)): one == two
        case (.unclearDeletion(let one, _, _), .unclearDeletion(let two, _, _)),
            (.unclearMove(let one, _, _), .unclearMove(let two, _, _)),
            (.unclearNotice(let one, _), .unclearNotice(let two, _)):
            one == two
        case (.savedAlike(let one, _, _), .savedAlike(let two, _, _)): one == two
        case (.countedAlike(let one, let place, _, _), .countedAlike(let two, let other, _, _)):
            one == two && place == other
        case (.unclearTorn(let one, let side, _), .unclearTorn(let two, let other, _)),
            (.unclearRead(let one, let side, _), .unclearRead(let two, let other, _)),
            (.readInParts(let one, let side, _), .readInParts(let two, let other, _)),
            (.unclearWrite(let one, let side, _), .unclearWrite(let two, let other, _)),
            (.wroteReplaced(let one, let side, _), .wroteReplaced(let two, let other, _)),
            (.inventedContent(let one, let side, _), .inventedContent(let two, let other, _)),
            (.lockedHalf(let one, let side, _), .lockedHalf(let two, let other, _)),
            (.unclearAbsence(let one, let side, _), .unclearAbsence(let two, let other, _)),
            (.unclearReturn(let one, let side, _), .unclearReturn(let two, let other, _)):
            one == two && side == other
        default: self == other
        }
    }

    /// Each once, with the number of those that are like it.
    static func grouped(_ doubts: [ObservationDoubt]) -> [ObservationDoubt] {
        var groups: [(first: ObservationDoubt, count: Int)] = []
        for doubt in doubts {
            if let index = groups.firstIndex(where: { $0.first.isLike(doubt) }) {
                groups[index].count += 1
            } else {
                groups.append((doubt, 1))
            }
        }
        return groups.map { $0.count == 1 ? $0.first : .repeated($0.first, count: $0.count) }
    }
}

extension Side {
    /// Its program, as a user has named it.
    fileprivate var program: String { self == .app ? "the app" : "the widget" }
}

extension [String] {
    fileprivate var lookText: String {
        guard let first else { return "" }
        let more = count > 1 ? " and \(count - 1) more" : ""
        return "; it looks at \(first)\(more) again and again"
    }
}

extension Digest? {
    fileprivate var words: String { self?.description ?? "deleted" }
}
