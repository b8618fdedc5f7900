/// A fault of a file system. The contract detects each of them, and each check of the contract detects one.
enum DoorFault: CaseIterable, Sendable {
    // Looking
    case listsUnsorted, listsOnlyText, listsAllAsRegular, listsNoneAsEmpty
    case tellsNoSize, tellsMissingParent, tellsFileAsDirectory, forgetsTime, inventsTime
    case findsNoLongName, followsLinks, takesFileForAbsence, foldsCaseEverywhere
    // Reading
    case readsShort, readsBeyondLimit, readsOn, readsStale, opensLinksAsMissing
    case handlesAreNames, tellsHandleByName, deniesWriters, seesWritersEverywhere
    // Writing
    case createsPublic, createsOver, createsDirectories, writesShort, writesLate
    case readsWriters, ignoresWritesToReaders, syncsNothing
    case keepsNoAttributes, keepsNoAttributesOfNone, keepsNoDirectoryMode, sharesRootAttributes
    case setsNoAttribute, copiesMarks, keepsNoRights
    // Moving
    case exclusiveReplaces, exclusiveLeavesBoth, exchangeLosesDisplaced, exchangeMovesAlone
    case replaceCopies, renameIgnoresMissing, renameIgnoresDirectories, renameDropsTwin
    case linkCopies, linkReplaces, removeTakesTwin, removeIgnoresMissing
    // Directories and roots
    case makesAgain, removesFull, trustsOpenRoot, deletedRootIsEmpty, reopensRoots, reopensNothing
}
