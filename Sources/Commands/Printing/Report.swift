import AgentClient
import BridgeRuntime
import Documents
import Model
import RaceLab
import SyncEngine

/// What a command found out. The printers say it; the command only returns it.
enum Report {
    case nothing
    case status([Of<ShownStatus>])
    case plan([Of<SyncReport>])
    case story(DocumentStory)
    /// The bytes as they are.
    case document(StoredDocument)
    case stored(StoredDocument)
    case value(StoredValue)
    case difference(DocumentDifference)
    case deleted(DeletedDocument)
    case conflicts([KeptConflict])
    case history([TrashedContent])
    case edit(MadeEdit)
    case allowed(Allowed)
    case checks([CheckedFile])
    case hashes([HashedFile])
    case profiles([Profile])
    /// With its YAML where that is built in, and a person has not seen it.
    case profile(Profile, builtInText: String?)
    case findings([LocatedFinding])
    case exploration(Exploration)
    case replayed(ReplayedRun)
    case observation(ObservationReport)
    case processes([ProcessReport])
    case presets([Scenario])
    case preset(Scenario, text: String)

    /// Something of one bridge, with its name where there are several.
    struct Of<Value> {
        var bridge: String?
        var value: Value
    }
}

struct CheckedFile: Hashable {
    var path: String
    /// `nil` where it is JSON.
    var fault: JSONError?
    var warnings: [JSONWarning] = []
    /// What a profile says of it, where one is asked.
    var profile: ProfileVerdict?
}

/// What a profile says of one file.
struct ProfileVerdict: Hashable {
    var version: Int?
    var problems: [Problem] = []

    enum Problem: Hashable {
        case newerVersion(Int)
        case unreadableVersion(VersionFault)
        case violation(version: Int, SchemaViolation)
    }

    init(_ rule: DocumentRule, of json: JSON) {
        switch rule.version(of: json) {
        case .unversioned: break
        case .known(let number):
            version = number
            problems = rule.violations(of: json, version: number).map { .violation(version: number, $0) }
        case .newer(let number): problems = [.newerVersion(number)]
        case .unreadable(let fault): problems = [.unreadableVersion(fault)]
        }
    }
}

struct HashedFile: Hashable {
    var path: String
    var hash: Digest
}

struct Outcome {
    var report: Report = .nothing
    var status: CommandStatus = .done
    /// Of the bridges that could not be asked.
    var failures: [ErrorProse] = []
}

// What the exit status of each command says follows from what it found.

extension BridgeStatus {
    var exitStatus: CommandStatus {
        let halted: CommandStatus = state == .halted ? .needsDecision : .done
        return .heaviest(documents.map(\.exitStatus) + [halted])
    }
}

extension BridgeStatus.Document {
    var exitStatus: CommandStatus {
        switch state {
        case .synced: .done
        case .pending: .changesPending
        case .held: isNewerVersion ? .newerVersion : .needsDecision
        // It was settled by rule; the sync that did it has said so.
        case .conflict: .done
        }
    }
}

extension SyncReport {
    var exitStatus: CommandStatus {
        let halted: CommandStatus = halt == nil ? .done : .needsDecision
        return .heaviest(changes.map { $0.exitStatus(dryRun: dryRun) } + [halted])
    }
}

extension SyncReport.Change {
    func exitStatus(dryRun: Bool) -> CommandStatus {
        switch action {
        case .hold: isNewerVersion ? .newerVersion : .needsDecision
        case .conflict: .needsDecision
        case .create, .update, .delete, .merge: dryRun ? .changesPending : .done
        // Both sides are the same already; only the journal learns it.
        case .adopt: .done
        }
    }
}
