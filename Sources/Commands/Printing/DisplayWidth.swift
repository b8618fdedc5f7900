extension String {
    /// Columns that a terminal uses for the text: two for ideographs and emoji, none for combining marks.
    var displayWidth: Int {
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return reduce(0) { $0 + $1.displayWidth }
    }

    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - displayWidth))
    }

    /// The longest prefix that fits.
    func prefix(ofWidth width: Int) -> String { String(fitting(self, width)) }

    /// The longest suffix that fits.
    func suffix(ofWidth width: Int) -> String { String(fitting(reversed(), width).reversed()) }
}

private func fitting<Characters: Collection<Character>>(_ characters: Characters, _ width: Int)
    -> Characters.SubSequence
{
    var room = width
    return characters.prefix { character in
        room -= character.displayWidth
        return room >= 0
    }
}

extension Character {
    /// A character is as wide as its widest scalar; a variation selector for emoji makes it two columns wide.
    fileprivate var displayWidth: Int {
        unicodeScalars.contains("\u{FE0F}") ? 2 : unicodeScalars.map(\.displayWidth).max() ?? 0
    }
}

extension Unicode.Scalar {
    /// Scripts of wide and full-width characters (Unicode's East Asian Width, W and F, by whole blocks).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x1B2FF, 0x20000...0x3FFFD,
    ]

    fileprivate var displayWidth: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default:
            // Vowels and finals of Hangul are in the column of the syllable's first letter.
            if (0x1160...0x11FF).contains(value) { return 0 }
            return properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) } ? 2 : 1
        }
    }
}
