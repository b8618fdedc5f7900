/// The known word that was most likely meant by one that is not known; `nil` where none is near.
package func nearestWord(to word: String, among known: some Sequence<String>) -> String? {
    let asked = Array(word.lowercased().prefix(64))
    // What all documents end with makes no two of them alike.
    let stem = word.hasSuffix(".json") ? asked.count - 5 : asked.count
    let most = max(1, stem / 3)
    let near = known.lazy.filter { $0 != word }.map {
        (word: $0, edits: edits(asked, Array($0.lowercased())))
    }
    guard let nearest = near.min(by: { $0.edits < $1.edits }), nearest.edits <= most,
        nearest.edits < asked.count
    else { return nil }
    return nearest.word
}

/// How many edits part two words: a character more, less or other, or two neighbours exchanged (optimal
/// string alignment, after Damerau and Levenshtein).
private func edits(_ one: [Character], _ other: [Character]) -> Int {
    guard abs(one.count - other.count) <= one.count else { return other.count }
    var rows = [Array(0...other.count)]
    for i in one.indices {
        var row = [i + 1]
        for j in other.indices {
            var least = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (one[i] == other[j] ? 0 : 1))
            if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                least = min(least, rows[i - 1][j - 1] + 1)
            }
            row.append(least)
        }
        rows.append(row)
    }
    return rows[one.count][other.count]
}
