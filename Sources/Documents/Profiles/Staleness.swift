/// When a document is too old to be shown as current.
package struct Staleness: Sendable, Hashable {
    /// The pointer to its time, in the newest version.
    package var field: JSONPointer?
    /// In seconds.
    package var after: Int
    /// Whether a document without the time is stale.
    package var missingIsStale: Bool

    /// The moment at which a document becomes stale, in milliseconds since 1970: `Int64.min` if it always
    /// is, `Int64.max` if it never will be.
    ///
    /// - Parameter saved: when it was saved, which counts if no field has the time, or a later one.
    package func staleAt(_ document: JSON, saved: Int64, zone: TimeZoneRules?) -> Int64 {
        if field == nil { return saved + Int64(after) * 1000 }
        guard let time = time(of: document, zone: zone) else { return missingIsStale ? .min : .max }
        // A time ahead of the clock does not say how old the document is.
        return (time > saved + Self.mostAhead ? saved : time) + Int64(after) * 1000
    }

    /// What a document of the newest version says of when it was saved, in milliseconds since 1970.
    package func time(of document: JSON, zone: TimeZoneRules?) -> Int64? {
        field.flatMap { document.node(at: $0) }.flatMap { Self.time(document, $0, zone) }
    }

    /// How far ahead of its saving the time of a document may be, in milliseconds, as clocks differ.
    private static let mostAhead: Int64 = 3_600_000

    /// In milliseconds since 1970; `nil` if the value is no time.
    static func time(_ document: JSON, _ node: Int, _ zone: TimeZoneRules?) -> Int64? {
        switch Comparand(document, node, zone: zone) {
        case .instant(let instant), .clock(let instant): instant.roundedDown
        case .number:
            document.kind(node) == .string
                ? time(number: document.string(node)) : time(number: document.slice(node))
        case .never, nil: nil
        }
    }

    /// A number does not say its unit. The times of this century tell it: seconds since 2001 are below
    /// those since 1970, and both far below milliseconds.
    private static func time(number text: [UInt8]) -> Int64? {
        guard let seconds = Instant(decimal: text, shiftedBy: 0) else {
            return Instant(milliseconds: text)?.roundedDown
        }
        let isSince2001 = seconds.seconds < mostSecondsSince2001
        return seconds.roundedDown + (isSince2001 ? Int64(Instant.epoch2001) * 1000 : 0)
    }

    /// Until 2039, and since 2008 if counted from 1970.
    private static let mostSecondsSince2001 = 1_200_000_000
}

extension Staleness {
    /// Counted from when a document was saved.
    package init(after: Int) { self.init(field: nil, after: after, missingIsStale: true) }
}

extension Instant {
    /// In milliseconds since 1970.
    fileprivate var roundedDown: Int64 {
        let places = (fraction ?? []).prefix(3) + [0x30, 0x30, 0x30]
        return Int64(seconds) * 1000 + places.prefix(3).reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
}
