import Model
import SyncEngine

/// The directories that a batch of hints asks to list. Many hints may name one directory or one above it, as
/// when a program makes a tree: each is listed once for all of them.
struct DirectoriesToList {
    /// With everything below them.
    private var beneath = BothSides(app: Subtrees(), group: Subtrees())
    /// The escaped names that are not UTF-8, one of each directory.
    private var unnamable: BothSides<[Substring: String]> = BothSides(app: [:], group: [:])

    mutating func add(beneath directory: RelativePath?, on side: Side) { beneath[side].insert(directory) }

    mutating func add(unnamable name: String, on side: Side) {
        let directory = name.lastIndex(of: "/").map { name[..<$0] } ?? ""
        unnamable[side][directory] = name
    }

    /// To be called before anybody is notified that the hints were taken.
    mutating func list(in engine: inout Engine, at now: Moment) {
        for side in Side.allCases {
            for name in unnamable[side].values { engine.recordUnnamable(name, on: side) }
            if !beneath[side].isEmpty { engine.markDirty(beneath: beneath[side], on: side, at: now) }
        }
        self = DirectoriesToList()
    }
}
