/// A text as a YAML scalar: plain if it cannot be mistaken for anything else, else in quotes, since JSON's
/// escapes are valid in YAML (YAML 1.2.2, 5.7).
///
/// - Parameter others: The characters allowed in a plain scalar besides ASCII letters and digits.
package func yamlScalar(_ text: String, plain others: String = "_") -> String {
    let words: Set = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
    let isPlain = text.utf8.allSatisfy { $0.isLetter || $0.isDigit || others.utf8.contains($0) }
    // A text that begins like this may be a number, or an element of a list.
    let isWord = text.utf8.first.map { !$0.isDigit && $0 != UInt8(ascii: "-") } ?? false
    return isPlain && isWord && !words.contains(text.lowercased()) ? text : JSONText(text).description
}
