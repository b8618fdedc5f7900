/// The parser's time grows with the square of the number of its arguments. Of many files that stand behind
/// everything else it is shown the first one; the others are given to the parsed command.
enum ManyFiles {
    private static let few = 64

    static func split(_ arguments: [String]) -> (shown: [String], rest: [String]) {
        guard arguments.count > few, arguments.first == "migrate" else { return (arguments, []) }
        // What stands behind an option may be its value.
        let option = arguments.lastIndex { $0.hasPrefix("-") }
        let first = option.map { $0 + 2 } ?? 2
        guard first < arguments.count else { return (arguments, []) }
        return (Array(arguments[...first]), Array(arguments[(first + 1)...]))
    }
}
