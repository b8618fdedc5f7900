import Doctor
import Documents
import Model
import Stores

extension Finding.Placement {
    var prose: Finding.Reason.Prose {
        switch self {
        case .otherPlatform(let kind, let platform):
            (
                "no program on \(platform.rawValue) has a \(kind.rawValue) file",
                "correct `format` and `file` of the store in the profile"
            )
        case .notInGroup(let format):
            (
                "\(format.rawValue) keeps its files in the app's own container, never in that of a group",
                "let the app write the document to the group's UserDefaults or to a file there, and name that"
            )
        case .notUserDefaults:
            (
                "UserDefaults are in Library/Preferences, so a program that uses them has another file",
                "correct `file` of the store in the profile, unless programs read the file themselves"
            )
        case .otherGroup(let groups):
            (
                "the UserDefaults of a group have the group's name, and the profile has "
                    + groups.joined(separator: ", "),
                "correct `file` of the store, or add the group to `otherGroups`"
            )
        case .notPreferences:
            (
                "preferences are in shared_prefs, so a program that uses them has another file",
                "correct `file` of the store in the profile"
            )
        }
    }
}

extension Finding.Store {
    var prose: Finding.Reason.Prose {
        switch self {
        case .exposed(let mode): mode.exposedProse
        case .otherCase(let file):
            (
                "there is no such file, but `\(file)`, whose name has other capitals",
                "correct `file` of the store in the profile"
            )
        case .otherGroupFile(let name):
            (
                "`\(name)` beside it is the file of another group of the profile",
                "let the app and its widget use one group: what is saved under the other ID is not synced"
            )
        case .leftover:
            (
                "a killed `store put` left it",
                "run `store put` in this directory again; it stays if it has what another program saved"
            )
        case .doubtfulLong(let long, let type, let isRead): Self.prose(of: long, type, isRead)
        case .missing(let neighbours):
            (
                "there is no such file" + (neighbours.isEmpty ? "" : ", but \(Self.list(neighbours))"),
                neighbours.isEmpty
                    ? "nothing to do if no program has saved the document yet"
                    : "correct `file` of the store in the profile, if one of these is meant"
            )
        case .otherPlace(let file):
            (
                "there is no such file, but `\(file)`, where another release of AsyncStorage keeps it",
                "start the app once, which moves it, or correct `file` of the store in the profile"
            )
        case .busy: ("other programs change it all the time", "run `doctor` again when they rest")
        case .locked:
            ("another program has locked the database", "end the program that has it open, or wait for it")
        case .unreadable(.notRegular(let file, let kind)):
            (FileError.notRegular(file, kind).what, "replace it by the file itself: no link is followed")
        case .unreadable(let error): (error.what, "let this user read the file")
        case .notExamined(let bytes):
            (
                "with \(Int(bytes).grouped) bytes it is too large to be copied, so it was not examined",
                "nothing to do"
            )
        case .unusable(let problem): (problem.reason.text, problem.advice)
        case .mismatch(let mismatch):
            (mismatch.reason.text, "let the program write that type, or correct the store in the profile")
        case .differs(let difference):
            (
                "is \(difference.found.shown), but `\(difference.pointer)` in the document beside it is "
                    + difference.expected.shown,
                "change the document: with that, the bridge writes this value anew; until then, a program "
                    + "that reads this key shows the other value"
            )
        case .otherKey(let key):
            (
                "the file does not have this key, but `\(key)`",
                "let both programs use one key; a plugin may add or omit a prefix"
            )
        case .secondKey(let key, let isNewer):
            (
                "the file has `\(key)` as well, " + Self.words(ofSecondKey: isNewer),
                "name the key that the app writes now in the profile (a `flutter` store has `prefix: \"\"` "
                    + "after the move to SharedPreferencesAsync), and let the widget read that of its store"
            )
        case .dataStore(let file):
            (
                "the app has `\(file)` as well: what it saves by SharedPreferencesAsync is there, and is not "
                    + "synced",
                "give SharedPreferencesAsync the backend SharedPreferences with this file, and the store "
                    + "`prefix: \"\"`"
            )
        case .missingDatabase:
            ("there is no such database, and the bridge creates none", "start the app that creates it")
        case .missingKey:
            ("the file does not have this key", "nothing to do if no program has saved the document yet")
        case .missingTable(let table, isMade: true):
            (
                "the database has no table \"\(table)\"",
                "nothing to do if no program has saved the document yet; the bridge creates the table"
            )
        case .missingTable(let table, isMade: false):
            (
                "the database has no table \"\(table)\"",
                "let the app create it, or correct `table` of the store in the profile"
            )
        case .missingRow:
            ("the table has no such row", "nothing to do if no program has saved the document yet")
        case .backup(let since):
            (
                "an unfinished save, since \(UTCTime.text(since / 1_000_000)): its .bak is there",
                "start the app once, which finishes it; the file with .bak counts until then"
            )
        case .tooLarge(let bytes, let limit):
            (
                "\(bytes.grouped) bytes, and the platform takes less than \(limit.grouped)",
                "keep a document of this size in a file of its own"
            )
        }
    }

    private static func prose(of long: Int64, _ type: StoreType, _ isRead: Bool) -> Finding.Reason.Prose {
        let isTime = (0...253_402_300_799_999).contains(long)
        let number = "the number \(long)" + (isTime ? ", as milliseconds \(UTCTime.text(long))" : "")
        let bits = "the bits of \(Double(bitPattern: UInt64(bitPattern: long)))"
        let (own, other) = type == .real ? (bits, number) : (number, bits)
        return (
            isRead ? "is read as \(own), and may be \(other)" : "is \(number), or \(bits), and is not read",
            "let the app save it with home_widget 0.7 or later, which marks real numbers, or correct its "
                + "type or `markers` in the profile"
        )
    }

    private static func words(ofSecondKey isNewer: Bool?) -> String {
        switch isNewer {
        case true?: "whose document is newer: what is saved there is not synced"
        case false?: "whose document is older: a program that reads it shows that"
        case nil:
            "with another value: a program that reads it shows that, and what is saved there is not synced"
        }
    }

    /// The first names of many.
    private static func list(_ names: [String]) -> String {
        let most = 4
        let shown = names.prefix(most).map { "`\($0)`" }.joined(separator: ", ")
        return names.count > most ? "\(shown) and \((names.count - most).grouped) more" : shown
    }
}

extension UInt32 {
    /// Of the permission bits of a file or directory that everyone may change.
    var exposedProse: Finding.Reason.Prose {
        (
            "every user may change it: its mode is \(String(self, radix: 8))",
            "take that right away: `chmod o-w`"
        )
    }
}

extension StoreValue? {
    fileprivate var shown: String {
        guard let value = self else { return "absent" }
        return "`\(String(decoding: value.bytes, as: UTF8.self).withoutControls.shortened(to: 40))`"
    }
}

extension Finding.Content {
    var prose: Finding.Reason.Prose {
        switch self {
        case .notJSON(let error):
            ("the document is not JSON: \(error.reason)", "correct what the program writes")
        case .newerVersion(let number, let newest):
            (
                "the document has version \(number), and the profile knows versions up to \(newest)",
                "use a newer profile"
            )
        case .unknownVersion(let fault): (fault.reason, "correct what the program writes, or the profile")
        case .invalid(let violation):
            (violation.text, "correct what the program writes, or the schema in the profile")
        }
    }
}

extension StoreProblem {
    fileprivate var advice: String {
        switch reason {
        case .file: "check which program wrote the file, and `format` of the store in the profile"
        case .value: "let the program write that type, or correct the store in the profile"
        case .missing: "put it back, or name its new place in the profile"
        case .madeAnew: "let the app save the document again, or write it with `put`"
        case .unreadable: "let the bridge read the file"
        case .database: "check which program wrote the database, and the store in the profile"
        case .outsideManifest: "keep the document shorter"
        case .missingValue: "let the app save the value again"
        case .unfinishedSave: "start the app, or let it save again"
        }
    }
}
