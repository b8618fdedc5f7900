/// An error in a profile, or in a file of a similar format, with its position.
package struct ProfileError: Error, Sendable, Hashable {
    package var file: String
    /// From 1.
    package var line: Int
    /// From 1.
    package var column: Int
    /// The path of the key, its parts separated by dots.
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
        /// The message of the YAML library.
        case syntax(String)
        case emptyFile
        case tooLargeOrDeep
        /// Including everything that its aliases expand to.
        case tooLarge
        case repeatedKeys([String])
        case unknownKey(String, known: [String])
        case unknownWord(String, known: [String])
        case unsupportedTag(String)
        /// It is not a number as JSON writes it.
        case number(String)
        /// A plain scalar that is empty, or `~`.
        case blank(Found)
        case expected(Expected, Found? = nil)
        case missing(String, Meaning? = nil)
        case needed([String])
        /// One of these two keys is required.
        case either(String, String, Meaning)
        /// One of these keys is required.
        case oneOf([String], Meaning)

        case noTimeZoneRule
        /// The IANA database has no time zone of this name.
        case noTimeZone(String)
        /// It has the format of a later release.
        case newerFormat(String, newest: Int)

        case versions(VersionsFault)
        case lens(LensFault)
        case rule(RuleFault)
        case json(JSONError)
        case expression(ExpressionError)
        case message(MessageError)
        case schema(SchemaError.Reason)
        case unfit(Subject, ShapeFault)
        case lenses(from: Int, to: Int, ShapeDifference)
        /// The text of a reader of another file, whose facts this module does not know.
        case told(String)
    }

    /// What the file has.
    package enum Found: Sendable, Hashable {
        case nothing, mapping, list, alias
        case text(String)
    }

    /// What is expected.
    package enum Expected: Sendable, Hashable {
        case text, name, list, mapping, bridge
        case wholeNumber, positiveNumber, version
        case either(String, String)
        case oneOf([String])
        case path, containerPath, documentPattern, size, duration, interval, percentage, digestOrNone

        case pointer, wildcard
        /// The key must be a pointer.
        case pointerBefore
        case minutes, seconds, milliseconds, timeOfDay, eightHours
        /// Of a time, before its unit.
        case numberOfUnits(ClosedRange<Int>)
        /// The name of a value.
        case argument
        case reloadBudget, refreshPolicy, deepLink
        case count(ClosedRange<Int>)
        /// Of the loopback address.
        case socketAddress, timeZone
        case timeZoneRule
        case versionMark
        case mergeRule
        case firstOrNothing
        /// The factor to another unit.
        case factor
        /// A number of decimal places.
        case digitCount
    }

    /// The purpose of a key.
    package enum Meaning: Sendable, Hashable {
        case name, versionMark, versionField, shape, identity, age, step
        case mergeRule, derivation, content, order, rounding
        case separator
        /// The known formats.
        case storeFormat([String])
        case storeFile, storeContent, storeStart, storeType, storeTime, storeWidget
    }

    /// What does not match the documents.
    package enum Subject: Sendable, Hashable {
        case lens, mergeRule, identity, staleness, kept
        case kind(String)
        case activity(String)
        /// What a kind ignores.
        case ignored(String)
    }

    package enum VersionsFault: Sendable, Hashable {
        /// Not a whole number, or not above the previous one.
        case unordered(String)
        case none
        case unknown(Int, of: String? = nil)
        case repeated(Int)
    }

    package enum LensFault: Sendable, Hashable {
        case notOne
        case unknown(String, known: [String])
        case unknownConversion
        case repeatedValue
        /// A pair has several values on both sides.
        case manyToMany
        case noValue
        /// A text must be split into two fields or more, with different names.
        case fewParts
        /// The root can be neither moved nor created.
        case root
        /// A field can neither be moved into itself nor to where it is.
        case intoItself
    }

    /// A contradiction in the rules of one document.
    package enum RuleFault: Sendable, Hashable {
        case noTimeZone
        case nameOfView
        case doubleStar
        /// `documents` and `assets` have the same name.
        case documentAndAsset
        /// A name may also match this other pattern.
        case patternTie(String)
        case filterWithoutCount
        /// The first of these times is shorter than the second, which it must not be.
        case shorter(String, than: String)
        /// A Live Activity has both ways to start.
        case twoStarts
        /// A kind reloads by `every`, or by the entries of a timeline.
        case twoRefreshes
        /// A timeline of one entry that reloads at its end would reload without a pause.
        case endsAsItBegins
        /// The list of what starts a Live Activity is empty.
        case noStart(String)
        /// A Live Activity ends when it starts.
        case endsAtStart
        /// What ends a Live Activity fits each element.
        case endsAlways
        /// A Live Activity has the name of a kind of widget.
        case nameOfKind(String)
        /// What fits it is said to be in a state that the program tells itself.
        case nameOfState(String)
        /// A kind is listed to have no size.
        case noFamily
        /// A kind ignores all that it shows.
        case showsNothing
        case statesAndErrors
        /// The condition of a state reads a variable that only a widget has.
        case ofOneWidget(String)
        /// A kind shows what it computes, or the values of pointers.
        case computedAndPointed(String)
        /// What fits the state shows an earlier one.
        case hidden(by: String)
        /// Another element of the list means the same.
        case repeated(String)
        /// A key that qualifies another one, which is missing.
        case strayKey(String, of: String)
        case referencesWithoutRenumber
        /// A side keeps the whole document.
        case keepsAll
        /// A side keeps fields of a document whose changes are synced from one side only.
        case keptOneWay
        /// Neither side could change this field.
        case keptByBoth(String)
        /// A lens makes a field of the name under which documents have their version.
        case versionFieldMade(String)
        case store(StoreRuleFault)
    }

    /// A contradiction in the store of a document.
    package enum StoreRuleFault: Sendable, Hashable {
        /// A pattern matches several documents, which would have the same keys.
        case ofPattern
        /// No file of the format has such a name.
        case suffix(StoreFormat, [String])
        /// The key has the whole document.
        case keyTwice(String)
        /// Preferences have no bytes.
        case noData
        /// A `date` has only one form.
        case formOfDate
        /// A time is local, and the profile has no time zone.
        case noTimeZone
    }
}

extension ProfileError.Reason {
    /// A word that is not one of the known ones, which a person may have mistyped.
    package var unknownWord: (word: String, known: [String])? {
        switch self {
        case .unknownKey(let word, let known), .unknownWord(let word, let known),
            .lens(.unknown(let word, let known)), .expected(.oneOf(let known), .text(let word)):
            (word, known)
        case .expected(.either(let one, let other), .text(let word)): (word, [one, other])
        case .noTimeZone(let name): (name, TimeZoneNames.all.sorted())
        default: nil
        }
    }
}
