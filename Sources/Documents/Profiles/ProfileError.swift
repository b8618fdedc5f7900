/// Something in a profile, or in a file that is read like one, that cannot be used, and where it stands.
package struct ProfileError: Error, Sendable, Hashable {
    package var file: String
    /// From 1.
    package var line: Int
    /// From 1.
    package var column: Int
    /// The way to it, its parts parted by dots.
    package var key: String
    package var reason: Reason

    package init(file: String, line: Int, column: Int, key: String, reason: Reason) {
        self.file = file
        self.line = line
        self.column = column
        self.key = key
        self.reason = reason
    }

    package enum Reason: Sendable, Hashable {
        /// In the words of the YAML library.
        case syntax(String)
        case emptyFile
        case tooLargeOrDeep
        /// With all that its aliases stand for.
        case tooLarge
        case repeatedKeys([String])
        case unknownKey(String, known: [String])
        case unsupportedTag(String)
        /// It is not written as JSON writes numbers.
        case number(String)
        /// A plain scalar of nothing, or of `~`.
        case blank(Found)
        case expected(Expected, Found? = nil)
        case missing(String, Meaning? = nil)
        case needed([String])
        /// Of these two keys one has to be there.
        case either(String, String, Meaning)
        /// Of these keys one has to be there.
        case oneOf([String], Meaning)

        case noTimeZoneRule
        /// It is written for a later release.
        case newerFormat(String, newest: Int)

        case versions(VersionsFault)
        case lens(LensFault)
        case rule(RuleFault)
        case json(JSONError)
        case schema(SchemaError.Reason)
        case unfit(Subject, ShapeFault)
        case lenses(from: Int, to: Int, ShapeDifference)
        /// Told by a reader of another file, whose facts this module does not know.
        case told(String)
    }

    /// What stands there.
    package enum Found: Sendable, Hashable {
        case nothing, mapping, list, alias
        case text(String)
    }

    /// What has to stand there.
    package enum Expected: Sendable, Hashable {
        case text, name, list, mapping, bridge
        case wholeNumber, positiveNumber
        case either(String, String)
        case oneOf([String])
        case path, size, duration, percentage, digestOrNone

        case pointer, wildcard
        /// The key is to be one.
        case pointerBefore
        case minutes
        case timeZoneRule
        case versionMark
        case mergeRule
        case firstOrNothing
        /// Of a number in another unit.
        case factor
        /// Behind a point.
        case digitCount
    }

    /// What a key is there for.
    package enum Meaning: Sendable, Hashable {
        case name, versionMark, versionField, shape, identity, age
        case mergeRule, derivation, content, order, rounding
        case separator
    }

    /// What does not fit the documents.
    package enum Subject: Sendable, Hashable {
        case lens, mergeRule, identity, staleness
        case kind(String)
    }

    package enum VersionsFault: Sendable, Hashable {
        /// Not a whole number, or not above the one before.
        case unordered(String)
        case none
        case unknown(Int, of: String? = nil)
        case repeated(Int)
    }

    package enum LensFault: Sendable, Hashable {
        case notOne
        case unknown(known: [String])
        case unknownConversion
        case repeatedValue
        /// A pair has several values on both sides.
        case manyToMany
        case noValue
        /// A text is split into two fields or more, each with a name of its own.
        case fewParts
        /// The root cannot be moved, nor made.
        case root
    }

    /// What the rules of one document contradict.
    package enum RuleFault: Sendable, Hashable {
        case noTimeZone
        case nameOfView
        case doubleStar
        /// A name may fit this other pattern as well.
        case patternTie(String)
        case filterWithoutCount
        /// A key that says something of another one, which is not there.
        case strayKey(String, of: String)
        case referencesWithoutRenumber
    }
}
