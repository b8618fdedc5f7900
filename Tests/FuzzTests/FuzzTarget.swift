import Stores

/// What `Scripts/fuzz` gives bytes that nobody would write, and what must hold for all of them.
///
/// The same functions are fed by libFuzzer and, with the inputs that are worth keeping, by the tests.
enum FuzzTarget: String, CaseIterable {
    case json, patch, diff, merge, schema, pattern, expression, profile, request, events
    case markup, preferences, manifest, plist

    /// What does not hold for these bytes; `nil` where all does. That it ends at all is the first thing.
    func violation(of bytes: [UInt8]) -> String? {
        switch self {
        case .json: Self.parsing(bytes)
        case .patch: Self.patching(Self.parts(of: bytes))
        case .diff: Self.diffing(Self.parts(of: bytes))
        case .merge: Self.merging(Self.parts(of: bytes))
        case .schema: Self.checking(Self.parts(of: bytes))
        case .pattern: Self.matching(Self.parts(of: bytes))
        case .expression: Self.evaluating(Self.parts(of: bytes))
        case .profile: Self.profiling(Self.parts(of: bytes))
        case .request: Self.asking(Self.parts(of: bytes))
        case .events: Self.listening(bytes)
        case .markup: Self.tokenizing(bytes)
        case .preferences: Self.replacing(SharedPreferences.self, bytes, added: .int32(1))
        case .manifest: Self.replacing(AsyncStorageManifest.self, bytes, added: .string("x"))
        case .plist: Self.listing(bytes)
        }
    }

    /// Parted by the record separator, as in a JSON text sequence, which is in no document.
    private static func parts(of bytes: [UInt8]) -> [[UInt8]] {
        bytes.split(separator: 0x1E, omittingEmptySubsequences: false).map(Array.init)
    }
}

extension [[UInt8]] {
    /// Empty where there are fewer.
    func part(_ number: Int) -> [UInt8] { number < count ? self[number] : [] }
}
