/// The parser's time is quadratic in the number of its arguments. So it gets only the first of many files at
/// the end of the command line; the parsed command gets the others directly.
enum ManyFiles {
    private static let few = 64

    static func split(_ arguments: [String]) -> (shown: [String], rest: [String]) {
        guard arguments.count > few, arguments.first == "migrate" else { return (arguments, []) }
        // The argument after an option may be its value.
        let option = arguments.lastIndex { $0.hasPrefix("-") }
        let first = option.map { $0 + 2 } ?? 2
        guard first < arguments.count else { return (arguments, []) }
        return (Array(arguments[...first]), Array(arguments[(first + 1)...]))
    }
}
