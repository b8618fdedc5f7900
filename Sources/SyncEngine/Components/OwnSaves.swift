package import Model

/// What programs have saved themselves, while a save may be merged with what holds an earlier or a later one.
///
/// It owns, for each document on a side, the last saves of its program with what each was made of, and what
/// the bridge has put there last; and the order of all of them. It touches no file.
package struct OwnSaves: Sendable {
    private var documents: [Location: DocumentSaves] = [:]
    private var newest: UInt64 = 0

    /// Of one document on one side.
    private struct DocumentSaves: Sendable {
        var saves: [OwnSave] = []
        /// What the bridge has put there last.
        var published: [UInt8]?

        /// Without the oldest two saves may contradict each other again, and then both are kept.
        static var most: Int { 16 }
        static var mostBytes: Int { 4 << 20 }

        mutating func note(_ save: OwnSave) {
            guard save.base != save.bytes, saves.last?.bytes != save.bytes else { return }
            saves.append(save)
            saves.sort { $0.number < $1.number }
            while saves.count > Self.most || (saves.count > 1 && size > Self.mostBytes) {
                saves.removeFirst()
            }
        }

        private var size: Int { saves.reduce(0) { $0 + $1.base.count + $1.bytes.count } }
    }

    package init() {}

    package var isEmpty: Bool { documents.isEmpty }

    /// What comes out later, or is seen later, is a later save.
    package mutating func nextNumber() -> UInt64 {
        newest += 1
        return newest
    }

    package mutating func notePublished(_ bytes: [UInt8], at place: Location) {
        documents[place, default: DocumentSaves()].published = bytes
    }

    /// A displaced save has been merged on top of what stood there, or is all in it.
    package mutating func note(merged bytes: [UInt8], _ displaced: DisplacedFile) {
        guard let base = displaced.base else { return }
        let save = OwnSave(base: base, bytes: bytes, number: displaced.number)
        documents[displaced.target, default: DocumentSaves()].note(save)
    }

    /// What stands there is no publication that nobody has read, so it is a save of its program where it is
    /// not what was published last. `base`: where it was not made of that.
    package mutating func note(standing bytes: [UInt8], at place: Location, madeOf base: [UInt8]? = nil) {
        guard let published = documents[place]?.published, bytes != published else { return }
        let save = OwnSave(base: base ?? published, bytes: bytes, number: nextNumber())
        documents[place]?.note(save)
    }

    /// What its program has saved before what stands there.
    package func saves(at place: Location, before standing: [UInt8]) -> [OwnSave] {
        documents[place]?.saves.filter { $0.bytes != standing } ?? []
    }

    /// What the program of a displaced save has saved beside that. `current`: what stands there, unless it is
    /// a publication that nobody has read.
    package func others(than displaced: DisplacedFile, standing current: [UInt8]?) -> OtherSaves {
        guard let known = documents[displaced.target] else { return OtherSaves() }
        var others = OtherSaves(
            earlier: known.saves.filter { $0.number < displaced.number },
            later: known.saves.filter { $0.number > displaced.number }
        )
        if let published = known.published, let current, current != published,
            others.later.last?.bytes != current
        {
            others.later.append(OwnSave(base: published, bytes: current))
        }
        return others
    }

    /// Nothing is left that might meet them, but where a displaced file waits, or something may be unread
    /// (`isTracked`). What was published is known again by the time that the next save is displaced; kept
    /// until somebody reads it, it would be a copy of the whole container.
    package mutating func forget(except waiting: Set<Location>, isTracked: (Location) -> Bool) {
        documents = documents.filter { place, known in
            waiting.contains(place) || (!known.saves.isEmpty && isTracked(place))
        }
        for place in documents.keys where !waiting.contains(place) { documents[place]?.published = nil }
    }
}
