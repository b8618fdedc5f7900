/// The names of files that are no documents, whatever a profile or a pattern says: hidden files, and files
/// that programs write only to rename or remove them.
package struct TemporaryPattern: Sendable, Hashable {
    /// As people write it.
    package let text: String
    /// Who makes such files.
    package let origin: String
    private let form: Form
    /// Without its stars.
    private let part: [UInt8]

    private enum Form: Sendable, Hashable {
        case exact, prefix, suffix, infix
        /// A dot and six random letters or digits behind a whole name.
        case random
    }

    private init(_ form: Form, _ text: String, _ origin: String) {
        (self.form, self.text, self.origin) = (form, text, origin)
        part = text.utf8.filter { $0 != Self.star }
    }

    package static let all = [
        Self(.prefix, ".*", "hidden files, also those in hidden directories"),
        Self(.suffix, "*~", "backups of Emacs, gedit and Kate"),
        Self(.suffix, "*~.json", "backups that keep the ending"),
        Self(.prefix, "~$*", "Microsoft Office"),
        Self(.exact, "4913", "Vim"),
        Self(.suffix, "*.swp", "Vim"),
        Self(.suffix, "*.tmp", "many programs"),
        Self(.infix, "*.tmp-*", "npm packages that write whole files"),
        Self(.suffix, "*___jb_tmp___", "JetBrains"),
        Self(.suffix, "*___jb_old___", "JetBrains"),
        Self(.suffix, "*.part", "Firefox, curl and wget"),
        Self(.suffix, "*.crdownload", "Chrome"),
        Self(.random, "*.json.AbC123", "QSaveFile, GLib: six letters or digits"),
    ]

    private static let hidden = all[0]
    private static let star = UInt8(ascii: "*")
    private static let dot = UInt8(ascii: ".")
    private static let slash = UInt8(ascii: "/")

    /// The first one that matches the name of a file, given as its path; `nil` if it may be a document's.
    package static func matching(_ path: String) -> Self? {
        var name = path.utf8[...]
        while true {
            if name.first == dot { return hidden }
            guard let end = name.firstIndex(of: slash) else { break }
            name = name[name.index(after: end)...]
        }
        return all.first { $0.matches(name) }
    }

    private func matches(_ name: Substring.UTF8View) -> Bool {
        switch form {
        case .exact: return name.elementsEqual(part)
        case .suffix: return name.suffix(part.count).elementsEqual(part)
        case .prefix: return name.starts(with: part)
        case .infix: return name.indices.contains { name[$0] == part[0] && name[$0...].starts(with: part) }
        case .random: return Self.endsRandomly(name)
        }
    }

    /// Behind another name than `NAME.json` six letters may be an ordinary ending: these are only taken for
    /// random if they have capitals among others.
    private static func endsRandomly(_ name: Substring.UTF8View) -> Bool {
        let ending = name.suffix(7)
        guard ending.count == 7, ending.first == dot, ending.dropFirst().allSatisfy(\.isLetterOrDigit) else {
            return false
        }
        let letters = ending.dropFirst(2)
        return name.dropLast(7).suffix(5).elementsEqual(".json".utf8)
            || letters.contains(where: \.isCapital) && !letters.allSatisfy(\.isCapital)
    }
}

extension UInt8 {
    fileprivate var isCapital: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
    fileprivate var isLetterOrDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || (self | 0x20).isSmall
    }
    private var isSmall: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
}

/// Whether a file of this name is a document without a profile.
package func isDocumentName(_ path: String) -> Bool {
    path.utf8.count > 5 && path.utf8.suffix(5).elementsEqual(".json".utf8) && !isTemporaryName(path)
}

/// Whether no file of this name is a document.
func isTemporaryName(_ path: String) -> Bool { path.isEmpty || TemporaryPattern.matching(path) != nil }
