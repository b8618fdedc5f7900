extension ExpressionCall {
    /// `nil` for a function that is not about strings.
    @inline(never)
    func stringFunction(in run: inout Evaluator) throws(ExpressionError) -> Value? {
        switch function {
        case .contains: return .bool(try contains(in: &run))
        case .startsWith: return .bool(try string(0, in: run).starts(with: try string(1, in: run)))
        case .endsWith:
            return .bool(try string(0, in: run).reversed().starts(with: try string(1, in: run).reversed()))
        case .join:
            let (glue, parts) = (try string(0, in: run), try strings(1, in: &run))
            let size = parts.reduce(glue.count * max(0, parts.count - 1)) { $0 + $1.count }
            return try made(size, in: &run) { Array(parts.joined(separator: glue)) }
        case .length: return Value(try length(in: &run))
        case .lower: return try mapped(in: &run) { $0.properties.lowercaseMapping }
        case .upper: return try mapped(in: &run) { $0.properties.uppercaseMapping }
        case .toString:
            if run.string(values[0]) != nil { return values[0] }
            let bytes = try run.result(values[0], at: link).bytes
            return try made(bytes.count, in: &run) { bytes }
        case .findFirst, .findLast: return try found(in: &run)
        case .padLeft, .padRight: return try padded(in: &run)
        case .replace: return try replaced(in: &run)
        case .split: return try split(in: &run)
        case .trim, .trimLeft, .trimRight: return try trimmed(in: &run)
        default: return nil
        }
    }

    private func made(
        _ size: Int,
        in run: inout Evaluator,
        _ bytes: () -> [UInt8]
    ) throws(ExpressionError) -> Value {
        try run.charge(bytes: size, at: link)
        try run.charge(size / 64, at: link)
        return .string(bytes())
    }

    private func contains(in run: inout Evaluator) throws(ExpressionError) -> Bool {
        if let text = run.string(values[0]) {
            guard let part = run.string(values[1]) else { return false }
            try run.charge((text.count + part.count) / 64, at: link)
            return part.isEmpty || !occurrences(of: part, in: text, most: 1).isEmpty
        }
        guard let elements = try run.elements(of: values[0], at: link) else {
            throw wrongType(0, [.string, .array], found: run.kind(of: values[0]), in: run)
        }
        for element in elements where try element.isEqual(to: values[1], in: &run, at: link) { return true }
        return false
    }

    private func length(in run: inout Evaluator) throws(ExpressionError) -> Int {
        let value = values[0]
        switch run.kind(of: value) {
        case .string:
            if case .node(let node) = value { return run.text.length(ofString: node) }
            return codePoints(try string(0, in: run)).count
        case .array: return try elements(0, in: &run).count
        case .object: return try run.memberValues(of: value, at: link)?.count ?? 0
        case let kind: throw wrongType(0, [.string, .array, .object], found: kind, in: run)
        }
    }

    /// Half a surrogate pair stays as it is.
    private func mapped(
        in run: inout Evaluator,
        _ mapping: (Unicode.Scalar) -> String
    ) throws(ExpressionError) -> Value {
        let codes = codePoints(try string(0, in: run))
        try run.charge(codes.count / 8, at: link)
        let mapped = codes.flatMap { code in
            Unicode.Scalar(code).map { Array(mapping($0).utf8) } ?? bytes(ofCodePoints: [code])
        }
        return try made(mapped.count, in: &run) { mapped }
    }

    /// The place of the first or last occurrence; null if there is none.
    private func found(in run: inout Evaluator) throws(ExpressionError) -> Value {
        let (codes, part) = (codePoints(try string(0, in: run)), codePoints(try string(1, in: run)))
        for place in 2..<max(2, values.count) { _ = try number(place, in: &run) }
        func place(_ bound: Int) -> Int { min(max(bound < 0 ? bound + codes.count : bound, 0), codes.count) }
        let start = place(try whole(2, in: &run) ?? 0)
        let end = place(try whole(3, in: &run) ?? codes.count)
        guard !part.isEmpty, start < end else { return .null }
        try run.charge(codes.count + part.count, at: link)
        let isFirst = function == .findFirst
        let places = occurrences(of: part, in: Array(codes[start..<end]), most: isFirst ? 1 : .max)
        return (isFirst ? places.first : places.last).map { Value(start + $0) } ?? .null
    }

    private func padded(in run: inout Evaluator) throws(ExpressionError) -> Value {
        let text = try string(0, in: run)
        _ = try number(1, in: &run)
        let pad = values.count > 2 ? try string(2, in: run) : [UInt8(ascii: " ")]
        guard codePoints(pad).count == 1 else { throw wrongValue(.notOneCharacter, in: run) }
        let missing = max(0, (try whole(1, in: &run) ?? 0) - codePoints(text).count)
        return try made(text.count + missing * pad.count, in: &run) {
            let padding = [[UInt8]](repeating: pad, count: missing).flatMap { $0 }
            return function == .padLeft ? padding + text : text + padding
        }
    }

    private func replaced(in run: inout Evaluator) throws(ExpressionError) -> Value {
        let (text, old, new) = (try string(0, in: run), try string(1, in: run), try string(2, in: run))
        let most = try count(3, in: &run) ?? .max
        try run.charge(text.count + old.count, at: link)
        let parts = separated(text, by: old, most: most)
        let size = parts.reduce(new.count * (parts.count - 1)) { $0 + $1.count }
        return try made(size, in: &run) { Array(parts.joined(separator: new)) }
    }

    private func split(in run: inout Evaluator) throws(ExpressionError) -> Value {
        let (text, separator) = (try string(0, in: run), try string(1, in: run))
        let most = try count(2, in: &run) ?? .max
        try run.charge(bytes: text.count, at: link)
        try run.charge(text.count + separator.count, at: link)
        guard separator.isEmpty else {
            return .array(separated(text, by: separator, most: most).map { .string(Array($0)) })
        }
        let codes = codePoints(text)
        let single = codes.prefix(most).map { Value.string(bytes(ofCodePoints: [$0])) }
        let rest = codes.dropFirst(most)
        return .array(rest.isEmpty ? single : single + [.string(bytes(ofCodePoints: rest))])
    }

    private func trimmed(in run: inout Evaluator) throws(ExpressionError) -> Value {
        var codes = codePoints(try string(0, in: run))[...]
        let set = values.count > 1 ? Set(codePoints(try string(1, in: run))) : []
        try run.charge(codes.count / 16, at: link)
        func isCut(_ code: UInt32) -> Bool {
            set.isEmpty ? Unicode.Scalar(code)?.properties.isWhitespace ?? false : set.contains(code)
        }
        if function != .trimRight { codes = codes.drop(while: isCut) }
        if function != .trimLeft {
            codes = codes.prefix(through: (codes.lastIndex { !isCut($0) } ?? codes.startIndex - 1))
        }
        return .string(bytes(ofCodePoints: codes))
    }
}

/// The parts of a text between the first occurrences of a separator, which is not found if it is empty.
private func separated(_ text: [UInt8], by separator: [UInt8], most: Int) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var start = 0
    for place in occurrences(of: separator, in: text, most: .max) where parts.count < most && place >= start {
        parts.append(text[start..<place])
        start = place + separator.count
    }
    return parts + [text[start...]]
}

/// The places at which a part occurs, which may overlap; an empty part occurs nowhere.
///
/// By the algorithm of Knuth, Morris and Pratt, whose time is linear.
private func occurrences<Element: Equatable>(
    of part: [Element],
    in text: [Element],
    most: Int
) -> [Int] {
    guard !part.isEmpty, part.count <= text.count else { return [] }
    // How much of the part still matches when the element behind a prefix does not.
    var borders = [0]
    var matched = 0
    for place in 1..<part.count {
        while matched > 0, part[place] != part[matched] { matched = borders[matched - 1] }
        if part[place] == part[matched] { matched += 1 }
        borders.append(matched)
    }
    var places: [Int] = []
    matched = 0
    for (place, element) in text.enumerated() where places.count < most {
        while matched > 0, matched == part.count || element != part[matched] {
            matched = borders[matched - 1]
        }
        if element == part[matched] { matched += 1 }
        if matched == part.count { places.append(place + 1 - part.count) }
    }
    return places
}
