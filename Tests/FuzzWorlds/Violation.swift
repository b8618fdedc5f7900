import FileSystem
package import Model
import RaceLab

/// A promise that was broken.
package enum Violation: Error, Hashable, Sendable {
    /// At rest the two sides differ, and nothing says why.
    case diverged(RelativePath, why: String)
    /// An edit that was acknowledged is nowhere.
    case lost(edit: Int, Location)
    /// An edit is in the trash alone: it was displaced and forgotten.
    case buried(edit: Int, Location)
    /// The engine gave a document's name to something no reader can read.
    case torn(Location)
    /// The engine gave a document's name to half of one save and half of another.
    case mixed(Location)
    /// The engine removed or overwrote a document without looking at what it was.
    case destroyed(Location)
    /// What follows from the rest of a document does not.
    case underived(Location)
    /// What a merge rule decides is a conflict.
    case undecided(String, String)
    /// A sum is not what programs have added to it.
    case miscounted(RelativePath, Int, of: Int)
    case restless(String)
    /// One program alone has saved, and its saves were merged with something.
    case contradicted(merges: Int)
    /// A document is in a version that its side's program has never written.
    case misspoken(Location, version: Int)
    case littered(Location)
    /// The trash takes more of the disk than it may.
    case overfull(files: Int)
    /// A directory that the bridge made is empty, and still there.
    case emptyDirectory(Location)
    /// Files were left open.
    case leaked(handles: Int)
    /// A notice names what the group container has never held.
    case premature(RelativePath, generation: Int64)
    /// A notice was left out.
    case skipped(Int64)
    case sequenceWentBack(Int64, after: Int64)
    case generationWentBack(RelativePath, Int64, after: Int64)
    /// Both sides are said to have agreed on what one of them never held.
    case agreedOnNothing(Location)
    /// An ordinary change in a quiet world did not cross.
    case deaf(RelativePath, String)
    /// It halted although nothing was gone.
    case alarmed(String)
    /// All documents of a side were gone at once, and their deletion crossed.
    case believed(lost: Int)
    /// Of a conflict there is nothing to decide it by.
    case undecidable(RelativePath)
    /// After a power cut a document is something it never was.
    case tornByPowerCut(Location)
    /// After a power cut an acknowledged state is gone.
    case forgottenByPowerCut(Location)
    /// A barrier let through although what had been saved there before was neither in sync nor held.
    case passedEarly(Location)
    /// A barrier went on waiting for what was saved after it.
    case starved
    /// A process went to work by another profile than the journal's.
    case tookOtherProfile
    /// A new process could not start on what the old one left.
    case cannotStart(String)
}
