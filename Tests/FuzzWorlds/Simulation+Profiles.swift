import Documents
import FileSystem
import FileSystemSimulation
import Model
import RaceLab
import StateStore
import SyncEngine

// MARK: - A profile that is edited

extension Simulation {
    var profile: Profile? {
        if faultProfile.editsProfile { return LabProfile.editions[edition] }
        if faultProfile.hasRules { return LabProfile.ruled }
        return faultProfile.isBudget ? LabProfile.budget : nil
    }

    /// The bridge is ended, and started by another edition. Programs of the added version come with it, and
    /// stay.
    func editProfile(to next: Int) {
        end()
        edition = next
        if edition > 0 { programs.versions = faultProfile.versions }
        fuzzWorld.trace.note("edits the profile", "", edition)
    }

    /// The editions at the end can read whatever programs have written.
    func publishLastEdition() { editProfile(to: LabProfile.editions.count - 1 - profiles.below(3)) }

    /// Somebody forgets to name the profile, which the journal knows.
    func startByNoProfile() {
        guard faultProfile.editsProfile, !fuzzWorld.isQuiet, profiles.isOne(in: 4),
            (try? journal.value(of: "profile")) != nil
        else { return }
        do throws(EngineError) {
            _ = try engine(by: nil)
            fuzzWorld.broken(.tookOtherProfile)
        } catch {
            fuzzWorld.trace.note("refused")
        }
    }

    /// What was agreed by the lenses of that day stays when they are edited.
    func isAgreedByAnEdition(_ app: [UInt8], _ group: [UInt8], _ path: RelativePath) -> Bool {
        faultProfile.editsProfile
            && LabProfile.editions.contains { whyUnequal(app, group, $0.rule(for: path.description)) == nil }
    }

    /// Each side holds what its own program could have written, and the containers hold no other document.
    func judgeEditions() throws(Violation) {
        guard faultProfile.editsProfile else { return }
        for side in Side.allCases {
            for file in fuzzWorld.disk.world.files(Root(side)) where isDocument(file.path) {
                let place = Location(side, file.path)
                let isView = engine?.document(ofView: file.path) != nil
                guard isView || faultProfile.forgetsViews || faultProfile.names.contains(file.path) else {
                    throw .littered(place)
                }
                guard engine?.row(file.path)?.state != .held, let known = programs.spoken[place],
                    let version = TestDocument(file.bytes, isVersioned: true)?.version, version != known
                else { continue }
                throw .misspoken(place, version: version)
            }
        }
    }
}

extension FaultProfile {
    /// A journal that is lost, older than it was, or without its newest rows does not tell where views are.
    fileprivate var forgetsViews: Bool { losesJournal || restoresJournal || cutsPower }
}
