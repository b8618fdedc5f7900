/// A program's save and its base.
package struct OwnSave: Sendable {
    package var base: [UInt8]
    package var bytes: [UInt8]
    /// A later save has a higher number.
    package var number: UInt64

    package init(base: [UInt8], bytes: [UInt8], number: UInt64 = 0) {
        self.base = base
        self.bytes = bytes
        self.number = number
    }
}

/// The saves of a program before and after the save that is merged.
package struct OtherSaves: Sendable {
    package var earlier: [OwnSave] = []
    package var later: [OwnSave] = []

    package init(earlier: [OwnSave] = [], later: [OwnSave] = []) {
        self.earlier = earlier
        self.later = later
    }
}
