extension Unicode.Scalar {
    /// Includes characters that have no shape of their own but change how others are displayed.
    package var isControl: Bool {
        switch value {
        // Direction marks, embeddings, overrides and isolates; line and paragraph separators.
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: properties.generalCategory == .control
        }
    }
}
