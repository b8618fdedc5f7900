/// A text as YAML reads it: plain where that cannot be taken for anything else, else in quotes; JSON's
/// escapes are YAML's, too (YAML 1.2.2, 5.7).
///
/// - Parameter others: What may stand in a plain text besides the letters and digits of ASCII.
package func yamlScalar(_ text: String, plain others: String = "_") -> String {
    let words: Set = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
    let isPlain = text.utf8.allSatisfy { $0.isLetter || $0.isDigit || others.utf8.contains($0) }
    // What begins so may be a number, or an element of a list.
    let isWord = text.utf8.first.map { !$0.isDigit && $0 != UInt8(ascii: "-") } ?? false
    return isPlain && isWord && !words.contains(text.lowercased()) ? text : JSONText(text).description
}
