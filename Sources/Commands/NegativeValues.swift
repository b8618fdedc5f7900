/// Values that begin with a hyphen and a digit, such as `-1` or `-5s`. No option has such a name.
enum NegativeValues {
    /// Joins each with its option: `--limit=-1`. The parser would take it for an unknown option, and say that
    /// a value is missing instead of which values are allowed. Where a value may also be an argument, it
    /// goes behind `--`.
    static func joined(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        let mayBeAlone = arguments.starts(with: ["store", StorePutCommand.page.name])
        var joined: [String] = []
        var alone: [String] = []
        for argument in arguments[..<end] {
            if let option = joined.last, isNegative(argument), isOption(option) {
                joined[joined.count - 1] = "\(option)=\(argument)"
            } else if mayBeAlone, isNegative(argument) {
                alone.append(argument)
            } else {
                joined.append(argument)
            }
        }
        return alone.isEmpty
            ? joined + arguments[end...] : joined + ["--"] + alone + arguments[end...].dropFirst()
    }

    private static func isNegative(_ text: String) -> Bool {
        text.first == "-" && text.dropFirst().first?.isASCII == true
            && text.dropFirst().first?.isNumber == true
    }

    private static func isOption(_ text: String) -> Bool {
        text.hasPrefix("--") && text.count > 2 && !text.contains("=")
    }
}
