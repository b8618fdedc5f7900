extension Evaluator {
    /// What stands behind a projection is evaluated on each element; what gives null is left out.
    @inline(never)
    mutating func projection(_ link: Link, on value: Value) throws(ExpressionError) -> Value {
        switch tree.parts[link] {
        case .elements(let left, let each):
            return try project(try elements(of: try evaluate(left, on: value), at: link), each)
        case .values(let left, let each):
            return try project(try memberValues(of: try evaluate(left, on: value), at: link), each)
        case .flattened(let left, let each):
            return try project(try flattened(try evaluate(left, on: value), at: link), each)
        case .sliced(let left, let slice, let each):
            let whole = try evaluate(left, on: value)
            if let text = try slicedText(whole, slice, at: link) { return try evaluate(each, on: text) }
            return try project(try slicedElements(whole, slice, at: link), each)
        default: return .null
        }
    }

    @inline(never)
    private mutating func project(_ elements: [Value]?, _ each: Link) throws(ExpressionError) -> Value {
        guard let elements else { return .null }
        if case .current = tree.parts[each] {
            try charge(elements.count, at: each)
            return .array(elements.filter { !isNull($0) })
        }
        var results: [Value] = []
        results.reserveCapacity(elements.count)
        for element in elements {
            let result = try settled(try evaluate(each, on: element), at: each)
            if !isNull(result) { results.append(result) }
        }
        return .array(results)
    }

    @inline(never)
    mutating func filter(_ link: Link, on value: Value) throws(ExpressionError) -> Value {
        guard case .filtered(let left, let condition, let each) = tree.parts[link] else { return .null }
        let all = try elements(of: try evaluate(left, on: value), at: link)
        return try project(try filtered(all, by: condition), each)
    }

    @inline(never)
    private mutating func filtered(
        _ elements: [Value]?,
        by condition: Link
    ) throws(ExpressionError) -> [Value]? {
        guard let elements else { return nil }
        var kept: [Value] = []
        for element in elements where try isTrue(condition, on: element) { kept.append(element) }
        return kept
    }

    /// `nil` if it is no string.
    private mutating func slicedText(
        _ whole: Value,
        _ slice: ExpressionTree.Slice,
        at link: Link
    ) throws(ExpressionError) -> Value? {
        guard let text = string(whole) else { return nil }
        try charge(bytes: text.count, at: link)
        return .string(bytes(ofCodePoints: try sliced(codePoints(text), slice, at: link)))
    }

    /// `nil` if it is no array.
    private mutating func slicedElements(
        _ whole: Value,
        _ slice: ExpressionTree.Slice,
        at link: Link
    ) throws(ExpressionError) -> [Value]? {
        guard let all = try elements(of: whole, at: link) else { return nil }
        return try sliced(all, slice, at: link)
    }

    /// `nil` if it is no array.
    @inline(never)
    private mutating func flattened(_ list: Value, at link: Link) throws(ExpressionError) -> [Value]? {
        guard let all = try elements(of: list, at: link) else { return nil }
        var result: [Value] = []
        for element in all {
            if let inner = try elements(of: element, at: link) {
                try charge(inner.count / 8, at: link)
                result += inner
            } else {
                result.append(element)
            }
        }
        return result
    }

    /// As Python does it.
    private mutating func sliced<Element>(
        _ all: [Element],
        _ slice: ExpressionTree.Slice,
        at link: Link
    ) throws(ExpressionError) -> [Element] {
        try charge(all.count / 8, at: link)
        let (count, step) = (all.count, slice.step)
        let (least, most) = step > 0 ? (0, count) : (-1, count - 1)
        func place(_ bound: Int?, orElse end: Int) -> Int {
            guard let bound else { return end }
            return min(max(bound < 0 ? bound + count : bound, least), most)
        }
        let start = place(slice.start, orElse: step > 0 ? least : most)
        let stop = place(slice.stop, orElse: step > 0 ? most : least)
        return stride(from: start, to: stop, by: step).map { all[$0] }
    }
}

/// The inverse of `codePoints`.
func bytes(ofCodePoints codes: some Sequence<UInt32>) -> [UInt8] {
    var result: [UInt8] = []
    for code in codes {
        func follower(_ shift: UInt32) -> UInt8 { UInt8(0x80 | code >> shift & 0x3F) }
        switch code {
        case 0..<0x80: result.append(UInt8(code))
        case 0..<0x800: result += [UInt8(0xC0 | code >> 6), follower(0)]
        case 0..<0x1_0000: result += [UInt8(0xE0 | code >> 12), follower(6), follower(0)]
        default: result += [UInt8(0xF0 | code >> 18 & 0x07), follower(12), follower(6), follower(0)]
        }
    }
    return result
}
