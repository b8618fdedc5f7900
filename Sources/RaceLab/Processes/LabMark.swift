import Glibc

/// A mark in the environment of the processes that the lab starts, by which those that leave their process
/// group are found and ended.
struct LabMark {
    private static let variable = "WIDGETBRIDGE_LAB"
    private let value: String

    init() { value = "\(getpid()).\(UInt64.random(in: 0 ... .max))" }

    var environment: [String: String] { [Self.variable: value] }

    /// Ends all that have it.
    func end() { Leftovers(Self.variable, value).end() }
}
