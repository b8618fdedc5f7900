import FileSystem
package import Model
import RaceLab

/// A violated promise.
package enum Violation: Error, Hashable, Sendable {
    /// At rest the two sides differ without a reason.
    case diverged(RelativePath, why: String)
    /// An acknowledged edit is nowhere.
    case lost(edit: Int, Location)
    /// An edit is only in the trash: it was displaced and forgotten.
    case buried(edit: Int, Location)
    /// The engine gave a document's name to content that no reader can parse.
    case torn(Location)
    /// The engine gave a document's name to a mixture of two saves.
    case mixed(Location)
    /// The engine removed or overwrote a document without reading it.
    case destroyed(Location)
    /// A derived field is wrong.
    case underived(Location)
    /// A field with a merge rule has a conflict.
    case undecided(String, String)
    /// A sum differs from what programs have added to it.
    case miscounted(RelativePath, Int, of: Int)
    case restless(String)
    /// Only one program saved, and its saves were merged with something.
    case contradicted(merges: Int)
    /// A document has a version that its side's program has never written.
    case misspoken(Location, version: Int)
    case littered(Location)
    /// The trash exceeds its limit.
    case overfull(files: Int)
    /// A directory that the bridge created is empty and still exists.
    case emptyDirectory(Location)
    /// Files were left open.
    case leaked(handles: Int)
    /// A notice names a content that the group container never had.
    case premature(RelativePath, generation: Int64)
    /// A notice was omitted.
    case skipped(Int64)
    case sequenceWentBack(Int64, after: Int64)
    case generationWentBack(RelativePath, Int64, after: Int64)
    /// The base has a content that one of the sides never had.
    case agreedOnNothing(Location)
    /// An ordinary change in a quiet world was not synced.
    case deaf(RelativePath, String)
    /// The bridge halted although nothing was missing.
    case alarmed(String)
    /// All documents of a side were missing at once, and their deletion was synced.
    case believed(lost: Int)
    /// A conflict has nothing to resolve it with.
    case undecidable(RelativePath)
    /// After a power cut a document has a content that it never had.
    case tornByPowerCut(Location)
    /// After a power cut an acknowledged state is lost.
    case forgottenByPowerCut(Location)
    /// A barrier passed although an earlier save was neither in sync nor held.
    case passedEarly(Location)
    /// A barrier waited for later saves.
    case starved
    /// A process worked with another profile than the journal's.
    case tookOtherProfile
    /// A new process could not start on what the old one left.
    case cannotStart(String)
}
