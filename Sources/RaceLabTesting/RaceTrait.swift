public import Testing

/// How `expectNoRace` searches in the tests that have this trait: `.races(…)`.
public struct RaceTrait: TestTrait, SuiteTrait, TestScoping {
    let settings: RaceSettings

    /// A suite passes it on to its tests.
    public var isRecursive: Bool { true }

    /// Runs the test with these settings; those that it leaves open are those of its suite.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await RaceSettings.$current.withValue(settings.over(RaceSettings.current), operation: function)
    }
}

extension Trait where Self == RaceTrait {
    /// Sets how far `expectNoRace` searches in a test, or in all tests of a suite.
    ///
    /// ```swift
    /// @Suite(.races(bound: 3, corpus: "Races"))
    /// ```
    ///
    /// - Parameters:
    ///   - bound: the maximum number of preemptions per schedule.
    ///   - randomSchedules: the number of additional random schedules.
    ///   - seed: the seed of these.
    ///   - corpus: a directory, relative to that of the source file. Its schedules of the test's scenario are
    ///     replayed first, and what is found is saved there.
    ///   - filePath: the source file.
    public static func races(
        bound: Int? = nil,
        randomSchedules: Int? = nil,
        seed: UInt64? = nil,
        corpus: String? = nil,
        filePath: String = #filePath
    ) -> Self {
        let directory = filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let path = corpus.map { $0.hasPrefix("/") ? $0 : (directory + [$0[...]]).joined(separator: "/") }
        return RaceTrait(
            settings: RaceSettings(bound: bound, randomSchedules: randomSchedules, seed: seed, corpus: path)
        )
    }
}

/// What a trait leaves open is `nil`.
struct RaceSettings: Sendable {
    @TaskLocal static var current = RaceSettings()

    var bound: Int?
    var randomSchedules: Int?
    var seed: UInt64?
    /// The path of the directory.
    var corpus: String?

    func over(_ outer: RaceSettings) -> RaceSettings {
        RaceSettings(
            bound: bound ?? outer.bound,
            randomSchedules: randomSchedules ?? outer.randomSchedules,
            seed: seed ?? outer.seed,
            corpus: corpus ?? outer.corpus
        )
    }
}
