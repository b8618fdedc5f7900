package import Model

/// The recent saves of programs, as long as a save may be merged with a content that includes an earlier or
/// later one.
///
/// For each document on a side it keeps the program's last saves with the base of each, the bridge's last
/// publication, and the order of all of them. It accesses no file.
package struct OwnSaves: Sendable {
    private var documents: [Location: DocumentSaves] = [:]
    private var newest: UInt64 = 0

    /// The saves of one document on one side.
    private struct DocumentSaves: Sendable {
        var saves: [OwnSave] = []
        /// The bridge's last publication there.
        var published: [UInt8]?

        /// Beyond this, two saves may conflict again, and then both are kept.
        static var most: Int { 16 }
        static var mostBytes: Int { 4 << 20 }

        mutating func add(_ save: OwnSave) {
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

    /// A higher number is a later save.
    package mutating func nextNumber() -> UInt64 {
        newest += 1
        return newest
    }

    package mutating func recordPublication(_ bytes: [UInt8], at place: Location) {
        documents[place, default: DocumentSaves()].published = bytes
    }

    /// The bridge created the document, which had been deleted: that is no later save of its program.
    package mutating func recordCreation(_ bytes: [UInt8], at place: Location) {
        documents[place]?.published = bytes
    }

    /// A displaced save was merged with the current content, or is included in it.
    package mutating func record(merged bytes: [UInt8], _ displaced: DisplacedFile) {
        guard let base = displaced.base else { return }
        let save = OwnSave(base: base, bytes: bytes, number: displaced.number)
        documents[displaced.target, default: DocumentSaves()].add(save)
    }

    /// The current content was read, so it is a program's save unless it is the last publication. `base`: if
    /// it is not based on that publication.
    package mutating func record(standing bytes: [UInt8], at place: Location, madeOf base: [UInt8]? = nil) {
        guard let published = documents[place]?.published, bytes != published else { return }
        let save = OwnSave(base: base ?? published, bytes: bytes, number: nextNumber())
        documents[place]?.add(save)
    }

    /// The saves of the program before the current content.
    package func saves(at place: Location, before standing: [UInt8]) -> [OwnSave] {
        documents[place]?.saves.filter { $0.bytes != standing } ?? []
    }

    /// The other saves of a displaced save's program. `current`: the current content, unless it is a
    /// publication that no program has read.
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

    /// Removes the saves that no later merge needs: those without a waiting displaced file or tracked reads
    /// (`isTracked`). A publication is read again when the next save is displaced; keeping it until then
    /// would take as much memory as the container.
    package mutating func forget(except waiting: Set<Location>, isTracked: (Location) -> Bool) {
        documents = documents.filter { place, known in
            waiting.contains(place) || (!known.saves.isEmpty && isTracked(place))
        }
        for place in documents.keys where !waiting.contains(place) { documents[place]?.published = nil }
    }
}
