import AgentClient
import BridgeRuntime
import Documents
import Model
import RaceLab
import SyncEngine

/// The result of a command. The command returns it, and a printer formats it.
enum Report {
    case nothing
    case status([Of<ShownStatus>])
    case plan([Of<SyncReport>])
    case story(DocumentStory)
    /// The document's bytes, printed unchanged.
    case document(StoredDocument)
    case stored(StoredDocument)
    case value(StoredValue)
    /// What a kind shows, as JSON.
    case shown(JSONText)
    case difference(DocumentDifference)
    case deleted(DeletedDocument)
    case conflicts([KeptConflict])
    case history([TrashedContent])
    case edit(MadeEdit)
    case allowed(Allowed)
    case paused([Of<DonePause>])
    case checks([CheckedFile])
    case hashes([HashedFile])
    case profiles([Profile])
    /// A profile; with its YAML if it is built in, because then the user has no file to read.
    case profile(Profile, builtInText: String?)
    case findings([LocatedFinding])
    case reloads(ReloadSimulation)
    case ledger(ReloadReport)
    case widgets([WidgetEntry])
    /// One widget, and the line about it.
    case widget(WidgetEntry, text: String)
    case appState(AppStateReport)
    case exploration(Exploration)
    case replayed(ReplayedRun)
    case observation(ObservationReport)
    case processes([ProcessReport], again: [String]?)
    case corpus(Corpus)
    case presets([Scenario])
    case preset(Scenario, text: String)
    case scenarioFindings([ScenarioFinding])
    case diagnosis([Of<[ShownFinding]>])

    /// A value of one bridge, with the bridge's name if there are several.
    struct Of<Value> {
        var bridge: String?
        var value: Value
    }
}

struct CheckedFile: Hashable {
    var path: String
    /// `nil` if the file is valid JSON.
    var fault: JSONError?
    var warnings: [JSONWarning] = []
    /// The profile's verdict, if a profile is given.
    var profile: ProfileVerdict?
}

/// The verdict of a profile on one file.
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
    /// Errors of bridges for which the command failed.
    var failures: [ErrorProse] = []
    /// Printed after the report.
    var annotations: [Annotation] = []
}

// The exit status of a command follows from its result.

extension BridgeStatus {
    var exitStatus: CommandStatus {
        let stopped: CommandStatus = state == .halted || state == .paused ? .needsDecision : .done
        return .heaviest(documents.map(\.exitStatus) + [stopped])
    }
}

extension BridgeStatus.Document {
    var exitStatus: CommandStatus {
        switch state {
        case .synced: .done
        case .pending: .changesPending
        case .held: isNewerVersion ? .newerVersion : .needsDecision
        // The conflict is resolved by a rule already; the sync that did it reported it.
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
        // Both sides are equal already, so only the journal changes.
        case .adopt: .done
        }
    }
}
