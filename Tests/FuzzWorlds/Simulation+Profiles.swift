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

    /// Ends the bridge, and starts it with another edition. Programs of an added version come with it, and
    /// stay.
    func editProfile(to next: Int) {
        end()
        edition = next
        if edition > 0 { programs.versions = faultProfile.versions }
        fuzzWorld.trace.record("edits the profile", "", edition)
    }

    /// Publishes an edition that can read everything programs have written.
    func publishLastEdition() { editProfile(to: LabProfile.editions.count - 1 - profiles.below(3)) }

    /// Starts without the profile, which the journal has recorded.
    func startByNoProfile() {
        guard faultProfile.editsProfile, !fuzzWorld.isQuiet, profiles.isOne(in: 4),
            (try? journal.value(of: "profile")) != nil
        else { return }
        do throws(EngineError) {
            _ = try engine(by: nil)
            fuzzWorld.broken(.tookOtherProfile)
        } catch {
            fuzzWorld.trace.record("refused")
        }
    }

    /// A base made by earlier lenses stays valid when they are edited.
    func isAgreedByAnEdition(_ app: [UInt8], _ group: [UInt8], _ path: RelativePath) -> Bool {
        faultProfile.editsProfile
            && LabProfile.editions.contains { whyUnequal(app, group, $0.rule(for: path.description)) == nil }
    }

    /// Checks that each side has what its own program could have written, and the containers have no other
    /// document.
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
    /// A journal that is lost, older, or without its newest rows does not record where views are.
    fileprivate var forgetsViews: Bool { losesJournal || restoresJournal || cutsPower }
}
