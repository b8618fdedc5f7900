/// A key that a YAML mapping has twice. The YAML library tells only the position of the first one.
struct RepeatedKey {
    /// In lines and columns, both from 1.
    typealias Place = (line: Int, column: Int)

    private let key: [Unicode.Scalar]
    private let first: Place
    private let lines: [[Unicode.Scalar]]

    init(_ key: String, first: Place, in yaml: String) {
        self.key = Array(key.unicodeScalars)
        self.first = first
        lines = yaml.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
    }

    /// `nil` if it cannot be found.
    var second: Place? { secondBelow ?? secondInBrackets }

    /// In a block, all keys of a mapping begin in the same column.
    private var secondBelow: Place? {
        for (index, line) in lines.enumerated().dropFirst(first.line) {
            guard let start = line.firstIndex(where: { $0 != " " }), line[start] != "#" else { continue }
            if start < first.column - 1 { return nil }
            if start == first.column - 1, isKey(line[start...]) { return (index + 1, first.column) }
        }
        return nil
    }

    /// In brackets, a key of the same mapping comes after a comma that is in no inner brackets.
    private var secondInBrackets: Place? {
        var (depth, quote, isNext) = (0, Unicode.Scalar?.none, false)
        for (index, line) in lines.enumerated().dropFirst(first.line - 1) {
            let start = index == first.line - 1 ? first.column - 1 : 0
            for column in line.indices.dropFirst(start) {
                let scalar = line[column]
                if isNext, depth == 0, isKey(line[column...]) { return (index + 1, column + 1) }
                if let open = quote {
                    if scalar == open { quote = nil }
                    continue
                }
                switch scalar {
                case "\"", "'": quote = scalar
                case "{", "[": depth += 1
                case "}", "]": depth -= 1
                default: break
                }
                if depth < 0 { return nil }
                if scalar != " " { isNext = scalar == "," }
            }
        }
        return nil
    }

    private func isKey(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        let quote = text.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
        var rest = text.dropFirst(quote == nil ? 0 : 1)
        guard rest.starts(with: key) else { return false }
        rest = rest.dropFirst(key.count)
        if let quote {
            guard rest.first == quote else { return false }
            rest = rest.dropFirst()
        }
        return rest.first { $0 != " " } == ":"
    }
}
