/// A kind of Live Activity: each element of a list may have one.
package struct LiveActivityRule: Sendable {
    /// When one starts.
    enum Start: Sendable, Hashable {
        /// So many minutes before a time of the element.
        case before(JSONPointer, minutes: [Int])
        /// When a number of the element reaches so many percent of another one.
        case percent(JSONPointer, of: JSONPointer, from: [Int])
    }

    package var name: String
    /// The list, in the newest version.
    var list: JSONPointer
    /// What tells elements apart, and the other pointers, in an element.
    var id: JSONPointer
    var shows: [JSONPointer]
    var start: Start
    /// Elements whose activity is over.
    var over: Schema?
    /// How long one lasts at most, in milliseconds.
    package var lasts: Int64
    /// How long after the time of `Start.before` it is over, in minutes; `nil`: that does not end it.
    var late: Int?

    /// The pointers in an element.
    var inElement: [JSONPointer] {
        switch start {
        case .before(let time, _): [id, time] + shows
        case .percent(let part, let whole, _): [id, part, whole] + shows
        }
    }

    /// A system ends one after 8 hours.
    package static let longest: Int64 = 8 * 3_600_000
    /// Of what one shows, in bytes.
    package static let mostContent = 4096
}

/// What of one element concerns its Live Activity.
package struct LiveActivityInput: Sendable, Hashable {
    package var id: String
    /// Equal for equal values.
    package var content: [UInt8]
    /// Of what it shows, in bytes.
    package var size: Int
    /// How many of the numbers at which it starts it has reached; `nil` if times start it.
    package var level: Int?
    /// The times at which it starts, and the one at which it is over, in milliseconds since 1970.
    package var starts: [Int64]
    package var endsBy: Int64
    package var isOver: Bool

    package init(
        id: String,
        content: [UInt8],
        size: Int = 0,
        level: Int? = nil,
        starts: [Int64] = [],
        endsBy: Int64 = .max,
        isOver: Bool = false
    ) {
        (self.id, self.content, self.size, self.level) = (id, content, size, level)
        (self.starts, self.endsBy, self.isOver) = (starts, endsBy, isOver)
    }
}

extension LiveActivityRule {
    /// Of the elements that have an ID, the first one of each.
    ///
    /// - Parameter document: of the newest version; `nil` if it is missing.
    package func inputs(of document: JSON?, zone: TimeZoneRules?) -> [LiveActivityInput] {
        guard let document, let array = document.node(at: list), document.kind(array) == .array else {
            return []
        }
        var ids: Set<String> = []
        return document.elements(of: array).enumerated().compactMap { index, element in
            let input = input(document, element, list.appending(index), zone)
            return input.flatMap { ids.insert($0.id).inserted ? $0 : nil }
        }
    }

    private func input(_ document: JSON, _ element: Int, _ place: JSONPointer, _ zone: TimeZoneRules?)
        -> LiveActivityInput?
    {
        guard let id = id(document, element) else { return nil }
        let shown = WidgetKind(name: name, shows: shows.map { place.appending($0) })
        var input = LiveActivityInput(id: id, content: shown.visibleContent(of: document))
        input.size = shows.reduce(2) { size, pointer in
            let value = document.node(at: pointer, from: element).map { document.range(of: $0).count } ?? 0
            return size + value + (pointer.tokens.last?.count ?? 0) + "\"\":,".utf8.count
        }
        switch start {
        case .before(let pointer, let minutes):
            guard let node = document.node(at: pointer, from: element),
                let time = Staleness.time(document, node, zone)
            else { break }
            input.starts = minutes.map { time - Int64($0) * 60_000 }
            if let late { input.endsBy = time + Int64(late) * 60_000 }
        case .percent(let part, let whole, let percents):
            input.level = level(document, element, part, whole, percents)
        }
        if let over, let json = try? JSON(parsing: document.slice(element), limits: .unbounded) {
            input.isOver = over.firstViolation(of: json) == nil
        }
        return input
    }

    private func id(_ document: JSON, _ element: Int) -> String? {
        guard let node = document.node(at: id, from: element) else { return nil }
        switch document.kind(node) {
        case .string: return String(decoding: document.string(node), as: UTF8.self)
        case .number: return String(decoding: document.slice(node), as: UTF8.self)
        default: return nil
        }
    }

    /// Exactly: 90 % of a number is no matter of rounding.
    private func level(
        _ document: JSON,
        _ element: Int,
        _ part: JSONPointer,
        _ whole: JSONPointer,
        _ percents: [Int]
    ) -> Int {
        guard let part = number(document, element, part), let whole = number(document, element, whole),
            ExactDecimal([0x30]) < whole
        else { return 0 }
        return percents.count { percent in
            guard let factor = Fraction(percent, over: 100),
                let least = whole.times(factor, digits: nil, isRounded: false)
            else { return false }
            return !(part < least.value)
        }
    }

    private func number(_ document: JSON, _ element: Int, _ pointer: JSONPointer) -> ExactDecimal? {
        guard let node = document.node(at: pointer, from: element),
            case .number(let number) = Comparand(document, node, zone: nil)
        else { return nil }
        return number
    }
}
