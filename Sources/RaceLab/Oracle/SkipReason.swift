import Model

/// Why a kind of anomaly was not judged.
package enum SkipReason: Fact {
    /// Only steps inside the bridge show it.
    case insideBridge
    /// Nobody knows what a real program waits for.
    case waitsUnseen
    case nothingSaved
    case nothingDeleted
    /// A document was deleted, and it is not known whether a program or the bridge did it.
    case deleterUnseen
    /// A document was written in place, and who read it meanwhile is not known.
    case readersUnseen
    /// Processes of one side may have lost what others of it had saved.
    case processesUnseen
    /// The same, of programs that the lab did not start: there may be any number of them.
    case programsUnseen
    /// Threads of one process may have lost what others of it had saved.
    case threadsUnseen
    /// A process saved what another one of its side had saved, and may have known of it, or not.
    case repeatsUnseen
    /// A program may have made the change of a number that the bridge seems to have brought.
    case countsUnseen
    /// Somebody changed the order of a list, which is no edit of its own for the judge.
    case orderUnjudged
    /// A check of the user's decides it.
    case leftToCheck
    case noReloads
    /// Which widgets show what a notice is of is not known.
    case widgetKinds
    /// Only a scenario says which widgets are placed, and when someone taps.
    case widgetsUnseen
    case neverAtRest
    /// A program reported a read late, or of a content that the lab did not see there.
    case readsUnseen
    /// A program may show a content that was replaced after it had read it.
    case shownUnseen
    /// One of the doubts says why.
    case undecided

    /// Whether a run in which nothing else was found has no verdict: what was not judged may have happened.
    var leavesVerdictOpen: Bool { self == .programsUnseen }

    package var text: String {
        switch self {
        case .insideBridge: "only the steps inside a bridge would show it"
        case .waitsUnseen: "what a program waits for is not seen"
        case .nothingSaved: "no program is seen to have saved anything"
        case .nothingDeleted: "no program is seen to have deleted a document"
        case .deleterUnseen: "who deleted a document is not seen"
        case .readersUnseen:
            "which programs read a document while it was written in place is not seen (it is in `race run "
                + "--control calls`, if nothing escapes)"
        case .processesUnseen:
            "which process of a side saved what is not seen (it is in `race run --control calls`), and one may have "
                + "displaced another one's save"
        case .programsUnseen:
            "which program of a side saved what is not seen (it is in `race run --control calls`), and one may have "
                + "displaced another one's save"
        case .threadsUnseen:
            "a thread saved what it had read before another one of the same process saved, and whether it knew of "
                + "that is not seen"
        case .repeatsUnseen:
            "a process saved a document as another one of its side had saved it, and whether it knew of that is "
                + "not seen"
        case .countsUnseen:
            "whether programs of both sides changed a number to the same one is not seen (it is in `race run "
                + "--control calls`, if nothing escapes)"
        case .orderUnjudged:
            "the order of a list changed, and whether that was lost is not judged (`--check` can)"
        case .leftToCheck: "the contents do not tell it, and your check found nothing"
        case .noReloads: "no reloads were reported"
        case .widgetKinds: "with a profile, which widgets must be told is not known"
        case .widgetsUnseen: "which widgets are placed, what they show and who taps on them is not seen"
        case .readsUnseen: "when a program made a read that it told is not seen"
        case .shownUnseen:
            "documents were replaced while programs ran that may have read them, and what they show is not told (a line "
                + "`shown` tells it, of a program of `race run`)"
        case .neverAtRest: "the containers never came to rest"
        case .undecided: "what was seen does not decide it"
        }
    }
}
