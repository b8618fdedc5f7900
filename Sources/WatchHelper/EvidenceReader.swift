// SPDX-License-Identifier: GPL-2.0-only

import Glibc

/// Converts events about documents into access events: which program can have read which content.
///
/// The bridge publishes by exchanging a document with a temporary file beside it. That gives two renames with
/// two events each, which share a cookie: temporary to document, document to temporary. Only both together
/// are a `publish`. An event that may be half of one is kept back until the document is renamed otherwise. A
/// token does not end that wait, as its mark may be between the two in the queue.
///
/// The kernel queues the two one after the other without locking the document meanwhile: the exchange has
/// happened by then, so a program that opens the document between them reads the published content.
struct EvidenceReader {
    struct Document: Hashable {
        let root: Int
        let path: Bytes
    }

    private enum Half { case placed, taken }

    /// Names that were removed and may appear elsewhere, oldest first; `nil` is a temporary file of the
    /// bridge.
    private var departures: [(cookie: UInt32, document: Document?)] = []
    private var halves: [Document: Pending] = [:]

    private struct Pending {
        var half: Half
        /// The later events about the document.
        var later: [Lines.Evidence] = []
    }

    /// The last temporary file that was renamed, and the events reported since.
    private var latest: (cookie: UInt32, later: [(Lines.Evidence, Document)]) = (0, [])

    /// More events than this cannot be between the two halves.
    private static let mostLater = 64

    /// The access events that follow from this event, oldest first.
    mutating func read(_ event: Event, of document: Document) -> [(Lines.Evidence, Document)] {
        if event.has(IN_MOVED_FROM) { return left(document, event) }
        if event.has(IN_MOVED_TO) { return arrived(document, event) }
        // Access to a temporary file is no access to a document.
        if event.name.isTemporary { return [] }
        let all: [(Int32, Lines.Evidence)] = [
            (IN_CREATE, .save), (IN_OPEN, .open), (IN_ACCESS | IN_CLOSE_NOWRITE, .read), (IN_MODIFY, .write),
            (IN_CLOSE_WRITE, .close), (IN_DELETE, .gone),
        ]
        return happened(all.filter { event.has($0.0) }.map(\.1), document)
    }

    private mutating func happened(
        _ proven: [Lines.Evidence],
        _ document: Document
    ) -> [(Lines.Evidence, Document)] {
        guard !proven.isEmpty else { return [] }
        if halves[document]?.half == .placed, !proven.contains(.save), !proven.contains(.gone) {
            halves[document]?.later += proven
            let isMoment = halves[document].map { $0.later.count < Self.mostLater } ?? false
            return isMoment ? [] : settled(document)
        }
        let evidence = proven.map { ($0, document) }
        if latest.later.count < Self.mostLater { latest.later += evidence }
        return settled(document) + evidence
    }

    /// The events that were kept back. After an overflow they cannot be completed.
    mutating func giveUp() -> [(Lines.Evidence, Document)] {
        let documents = Set(halves.keys).union(departures.compactMap(\.document))
        let evidence = documents.sorted { $0.path.lexicographicallyPrecedes($1.path) }.flatMap { settled($0) }
        departures.removeAll()
        return evidence
    }

    private mutating func left(_ document: Document, _ event: Event) -> [(Lines.Evidence, Document)] {
        if event.name.isTemporary {
            latest = (event.cookie, [])
            return depart(event.cookie, nil)
        }
        // This may be the second half of a publication, so the first half is still kept back.
        let before = halves[document]?.half == .placed ? [] : settled(document)
        return before + depart(event.cookie, document)
    }

    /// An arrival immediately follows its departure. A file that is renamed to an unwatched directory never
    /// arrives, for example in the trash.
    private static let mostDepartures = 64

    private mutating func depart(_ cookie: UInt32, _ document: Document?) -> [(Lines.Evidence, Document)] {
        departures.append((cookie, document))
        guard departures.count > Self.mostDepartures else { return [] }
        guard let oldest = departures[0].document else {
            departures.removeFirst()
            return []
        }
        return settled(oldest)
    }

    private mutating func arrived(_ document: Document, _ event: Event) -> [(Lines.Evidence, Document)] {
        let index = departures.firstIndex { $0.cookie == event.cookie }
        let origin = index.map { departures.remove(at: $0).document }
        if event.name.isTemporary {
            guard let origin, let origin else { return [] }
            return half(.taken, of: origin)
        }
        guard let origin else { return settled(document) + [(.save, document)] }
        guard let origin else {
            let later = latest.cookie == event.cookie ? latest.later.filter { $0.1 == document } : []
            return half(.placed, of: document, later: later.map(\.0))
        }
        return settled(origin) + [(.gone, origin)] + settled(document) + [(.save, document)]
    }

    private mutating func half(
        _ half: Half,
        of document: Document,
        later: [Lines.Evidence] = []
    ) -> [(Lines.Evidence, Document)] {
        if let other = halves[document], other.half != half {
            halves[document] = nil
            return ([.publish] + other.later + later).map { ($0, document) }
        }
        let before = settled(document)
        halves[document] = Pending(half: half, later: later)
        return before
    }

    /// The events of a document that were kept back and will not be completed.
    private mutating func settled(_ document: Document) -> [(Lines.Evidence, Document)] {
        var evidence: [Lines.Evidence] = []
        if let pending = halves.removeValue(forKey: document) {
            evidence = [pending.half == .placed ? .save : .gone] + pending.later
        }
        if let departure = departures.firstIndex(where: { $0.document == document }) {
            departures.remove(at: departure)
            evidence.append(.gone)
        }
        return evidence.map { ($0, document) }
    }
}
