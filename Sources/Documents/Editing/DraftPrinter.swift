/// Prints a draft: unchanged parts exactly as in their documents, white space included, and new parts in
/// the style of their surroundings.
struct DraftPrinter {
    private let draft: Draft
    private var text: [UInt8] = []
    /// The offsets at which values begin that a lens made.
    private var derived: [Int] = []
    private var frames: [Frame] = []

    /// A container that is being printed. It is a class because it is changed for each of its items.
    private final class Frame {
        let container: Draft.Container
        let layout: Layout
        let shift: Shift
        /// Where it begins, if a lens made it and everything printed in it so far.
        var derivedStart: Int?
        var next = 0

        init(container: Draft.Container, layout: Layout, shift: Shift, derivedStart: Int?) {
            self.container = container
            self.layout = layout
            self.shift = shift
            self.derivedStart = derivedStart
        }
    }

    struct Printed {
        var text: [UInt8]
        /// In ascending order.
        var derived: [Int]
    }

    private init(_ draft: Draft) { self.draft = draft }

    /// The text of a single value.
    static func text(of value: Draft.Value, in draft: Draft) -> [UInt8] {
        var printer = DraftPrinter(draft)
        printer.begin(value, fallback: .compact, shift: .none)
        while !printer.frames.isEmpty { printer.advance() }
        return printer.text
    }

    /// Prints a draft, and stops early once it is too large: repeated copies may grow without bound.
    static func print(_ draft: Draft) throws(DocumentError) -> Printed {
        var printer = DraftPrinter(draft)
        let first = draft.documents[0]
        let root = first.range(of: JSON.root)
        printer.text.reserveCapacity(first.bytes.count + first.bytes.count / 4 + 64)
        printer.text += first.bytes[..<root.lowerBound]
        let sample =
            first.kind(JSON.root) == .object || first.kind(JSON.root) == .array
            ? Layout(of: JSON.root, in: first, parent: .compact) : .compact
        let shift = Shift(from: printer.indentation(of: draft.root) ?? [], to: [])
        printer.begin(draft.root, fallback: sample, shift: shift)
        while !printer.frames.isEmpty {
            printer.advance()
            guard printer.text.count <= first.limits.maxBytes else {
                throw .json(.tooLarge(bytes: printer.text.count, limit: first.limits.maxBytes))
            }
        }
        printer.text += first.bytes[root.upperBound...]
        return Printed(text: printer.text, derived: printer.derived.sorted())
    }

    /// Prints a value, or opens it if it is a container that was made here.
    private mutating func begin(
        _ value: Draft.Value,
        fallback: @autoclosure () -> Layout,
        shift: Shift
    ) {
        if !value.isDerived { recordOriginal() }
        if let document = value.document {
            if value.isDerived { derived.append(text.count) }
            let source = draft.documents[document]
            return text.append(source.bytes[source.range(of: value.index)], shifted: shift)
        }
        guard let container = draft.container(value) else {
            if value.isDerived { derived.append(text.count) }
            text += draft.text(value)
            return
        }
        let derivedStart = value.isDerived ? text.count : nil
        text.append(container.isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
        let layout = own(container, fallback(), shift)
        frames.append(
            Frame(container: container, layout: layout, shift: shift, derivedStart: derivedStart)
        )
    }

    /// Records that the open containers hold a value no lens made, so that they are not derived as a whole.
    private func recordOriginal() {
        for frame in frames.reversed() {
            guard frame.derivedStart != nil else { return }
            frame.derivedStart = nil
        }
    }

    private func own(_ container: Draft.Container, _ fallback: Layout, _ shift: Shift) -> Layout {
        guard let origin = container.origin, let document = origin.document,
            draft.documents[document].firstItem(of: origin.index) != nil
        else { return fallback }
        return Layout(of: origin.index, in: draft.documents[document], parent: fallback).shifted(shift)
    }

    /// Prints the next item of the innermost container, or closes it.
    private mutating func advance() {
        guard let frame = frames.last else { return }
        guard frame.next < frame.container.items.count else {
            if frame.next > 0 { text += frame.layout.tail }
            if let start = frame.derivedStart { derived.append(start) }
            text.append(frame.container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
            frames.removeLast()
            return
        }
        if frame.next > 0 {
            trail(of: frame.container.items[frame.next - 1], in: frame)
            text.append(UInt8(ascii: ","))
        }
        let item = frame.container.items[frame.next]
        lead(of: item, in: frame)
        if printUntouched(frame) { return }
        frame.next += 1
        key(of: item, in: frame)
        let shift =
            isInPlace(item, in: frame.container) ? frame.shift : shift(for: item.value, in: frame.layout)
        begin(item.value, fallback: frame.layout.inner, shift: shift)
    }

    /// Prints as many of the next items as still follow each other as in their document, in one piece.
    private mutating func printUntouched(_ frame: Frame) -> Bool {
        let items = frame.container.items
        guard let source = source(of: frame.container), let document = frame.container.origin?.document,
            let first = items[frame.next].slot, draft.isUntouched(items[frame.next], document)
        else { return false }
        var last = first
        frame.next += 1
        while frame.next < items.count, let slot = items[frame.next].slot,
            slot.gap == source.end(of: last.value), draft.isUntouched(items[frame.next], document)
        {
            last = slot
            frame.next += 1
        }
        let start = source.start(of: first.key ?? first.value)
        text.append(source.bytes[start..<source.end(of: last.value)], shifted: frame.shift)
        return true
    }

    private mutating func lead(of item: Draft.Item, in frame: Frame) {
        guard let slot = item.slot, let source = source(of: frame.container) else {
            text += frame.next == 0 ? frame.layout.firstLead : frame.layout.lead
            return
        }
        let wasFirst = slot.gap - 1 == start(of: frame.container)
        if wasFirst != (frame.next == 0) {
            text += frame.next == 0 ? frame.layout.firstLead : frame.layout.lead
        } else {
            let start = source.spaceEnd(from: slot.gap).behindComma
            text.append(source.bytes[start..<source.start(of: slot.key ?? slot.value)], shifted: frame.shift)
        }
    }

    private mutating func key(of item: Draft.Item, in frame: Frame) {
        guard let key = item.key else { return }
        draft.append(key, to: &text)
        if let slot = item.slot, let slotKey = slot.key, let source = source(of: frame.container) {
            let colon = source.bytes[source.end(of: slotKey)..<source.start(of: slot.value)]
            text.append(colon, shifted: frame.shift)
        } else {
            text += frame.layout.colon
        }
    }

    /// Prints the white space between an item and the comma that followed it.
    private mutating func trail(of item: Draft.Item, in frame: Frame) {
        guard let slot = item.slot, let source = source(of: frame.container) else { return }
        let start = source.end(of: slot.value)
        let end = source.spaceEnd(from: start)
        // No comma followed the last item: the white space after it belongs to the bracket.
        guard source.bytes[end.space] == UInt8(ascii: ",") else { return }
        text.append(source.bytes[start..<end.space], shifted: frame.shift)
    }

    private func source(of container: Draft.Container) -> JSON? {
        container.origin?.document.map { draft.documents[$0] }
    }

    private func start(of container: Draft.Container) -> Int? {
        guard let origin = container.origin, let document = origin.document else { return nil }
        return draft.documents[document].start(of: origin.index)
    }

    /// Whether the item still holds the value that was there before, opened or not.
    private func isInPlace(_ item: Draft.Item, in container: Draft.Container) -> Bool {
        guard let slot = item.slot, let document = container.origin?.document else { return false }
        let origin = item.value.document == nil ? draft.container(item.value)?.origin : item.value
        return origin?.document == document && origin?.index == slot.value
    }

    /// How the lines of a value from elsewhere are shifted to fit in here.
    private func shift(for value: Draft.Value, in layout: Layout) -> Shift {
        guard let to = layout.lead.indentation, let from = indentation(of: value) else { return .none }
        return Shift(from: from, to: to)
    }

    /// The indentation of the line that a container of a document ends on, if it spans several lines.
    private func indentation(of value: Draft.Value) -> [UInt8]? {
        let origin = value.document == nil ? draft.container(value)?.origin : value
        guard let origin, let document = origin.document else { return nil }
        let source = draft.documents[document]
        guard source.firstItem(of: origin.index) != nil else { return nil }
        return source.tail(of: origin.index).indentation
    }
}

extension Draft {
    /// The draft as a document.
    func finished() throws(DocumentError) -> JSON {
        if isUntouched { return documents[0] }
        return try Draft.parse(try DraftPrinter.print(self).text, limits: documents[0].limits)
    }

    static func parse(_ text: [UInt8], limits: JSONLimits) throws(DocumentError) -> JSON {
        do throws(JSONError) {
            return try JSON(parsing: text, limits: limits)
        } catch {
            throw .json(error)
        }
    }
}
