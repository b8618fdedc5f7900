/// Splits a text into several fields. The last field takes the rest; if there are fewer parts, the
/// remaining fields are missing.
struct SplitLens: Lens {
    var key: [UInt8]
    var parts: [[UInt8]]
    var separator: [UInt8]

    func up(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        let object = try work.object(value)
        guard let keyIndex = work.index(of: key, in: object), let member = work.member(key, of: object) else {
            return object
        }
        let isNull = work.draft.kind(member) == .null
        guard let text = isNull ? [] : work.draft.string(member) else {
            throw work.mismatch(member, expected: .string, at: key)
        }
        work.remove(key, from: object)
        if isNull { return object }
        for (index, part) in text.parts(partedBy: separator, most: parts.count).enumerated() {
            try work.checkFree(parts[index], in: object)
            var new = work.draft.make(escaped(part))
            new.isDerived = member.isDerived
            work.insert(new, as: parts[index], at: keyIndex + index, in: object)
        }
        return object
    }

    func down(_ value: Draft.Value, _ work: inout LensWork) throws(DocumentError) -> Draft.Value {
        let object = try work.object(value)
        guard let firstIndex = parts.compactMap({ work.index(of: $0, in: object) }).min() else {
            return object
        }
        var texts: [[UInt8]] = []
        var count = 0
        var isDerived = true
        for (index, part) in parts.enumerated() {
            guard let member = work.remove(part, from: object)?.value, work.draft.kind(member) != .null else {
                texts.append([])
                continue
            }
            guard let text = work.draft.string(member) else {
                throw work.mismatch(member, expected: .string, at: part)
            }
            texts.append(text)
            isDerived = isDerived && member.isDerived
            count = index + 1
        }
        guard count > 0 else { return object }
        try work.checkFree(key, in: object)
        var new = work.draft.make(escaped(Array(texts.prefix(count).joined(separator: separator))))
        new.isDerived = isDerived
        work.insert(new, as: key, at: firstIndex, in: object)
        return object
    }

    func shape(_ shape: inout Shape) throws(ShapeFault) {
        try shape.changeFields { fields throws(ShapeFault) in
            var field = try fields.take(key)
            try field.convert(from: .string, to: .string)
            for (index, part) in parts.enumerated() {
                let isRequired = index == 0 && field.isRequired
                try fields.put(Shape.Field(key: part, shape: .types(.string), isRequired: isRequired))
            }
        }
    }

    func newer(_ place: JSONPointer) -> JSONPointer {
        place.moved(from: JSONPointer(tokens: [key]), to: JSONPointer(tokens: [parts[0]]))
    }

    func older(_ place: JSONPointer) -> JSONPointer {
        guard let part = place.tokens.first, parts.contains(part) else { return place }
        return JSONPointer(tokens: [key])
    }

    private var shown: String {
        "at `\(String(decoding: separator, as: UTF8.self))` into "
            + parts.map { "`\(name($0))`" }.joined(separator: ", ")
    }

    var words: String { "split `\(name(key))` \(shown)" }

    /// The lens in reverse: it joins the older version's fields to one text.
    var inverse: InverseLens {
        InverseLens(lens: self, words: "join `\(name(key))`, which is split \(shown)") {
            shape throws(ShapeFault) in
            try shape.changeFields { fields throws(ShapeFault) in
                var isRequired = false
                for part in parts {
                    var field = try fields.take(part)
                    try field.convert(from: .string, to: .string)
                    isRequired = isRequired || field.isRequired
                }
                try fields.put(Shape.Field(key: key, shape: .types(.string), isRequired: isRequired))
            }
        }
    }
}
