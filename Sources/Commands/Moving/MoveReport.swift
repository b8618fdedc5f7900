import Documents
import Model
import StoreReplica

/// What a move has done, or would do.
struct MoveReport {
    var places: MovedPlaces
    var before: ContainerMove.Progress
    var after: ContainerMove.Progress
    var isDry: Bool

    var isDone: Bool { before == after }
    var status: CommandStatus { isDry && !isDone ? .changesPending : .done }

    var json: JSONText {
        [
            "name": JSONText(places.name.description), "from": JSONText(places.source.description),
            "to": JSONText(places.target.description), "before": JSONText(before.rawValue),
            "after": JSONText(after.rawValue), "dryRun": JSONText(isDry),
        ]
    }

    func text(_ printer: TextPrinter) -> String {
        let (source, target) = (places.source.description, places.target.description)
        let what =
            switch (before, after) {
            case (.copyable, .moved): "\(source) \(isDry ? "would be" : "was") moved to \(target)"
            case (.copyable, _): "\(source) \(isDry ? "would be" : "was") copied to \(target)"
            case (.copied, .moved): "\(source) \(isDry ? "would be" : "was") removed; \(target) has the same"
            case (.copied, _): "\(target) has the same as \(source)"
            case (.moved, _): "only \(target) has it"
            }
        let rest =
            isDry ? "; nothing was written" : after == .copied ? "; --confirm removes the original" : ""
        return printer.wrapped("", (what + rest).withoutControls).map { "\($0)\n" }.joined()
    }
}
