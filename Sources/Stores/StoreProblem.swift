package import Model

/// Why a document cannot be read from its store, or written to it.
package struct StoreProblem: Error, Sendable, Hashable {
    /// The store's file in its container.
    package var file: RelativePath
    package var reason: Reason

    package enum Reason: Sendable, Hashable {
        case file(StoreFault)
        case value(StoreMismatch)
        case database(DatabaseFault)
        /// The file had the document, and is not there.
        case missing
        /// The file was missing or damaged, and the one that is there now does not have the document.
        case madeAnew
        /// The file cannot be read.
        case unreadable(FileError)
        /// The value of this key, which is one of several, is in a file of its own beside AsyncStorage's
        /// manifest, or is too long for the manifest.
        case outsideManifest(key: String)
        /// AsyncStorage's manifest refers to the file for the value of this key, and it is missing.
        case missingValue(key: String)
        /// Its `.bak` is there, which replaces what the bridge would write.
        case unfinishedSave
    }

    /// Whether a program may be in the middle of its save.
    package var mayPass: Bool {
        switch reason {
        case .missing, .madeAnew, .missingValue, .database(.busy): true
        default: false
        }
    }

    /// Whether a program that goes on begins with a store that it makes anew.
    package var isLoss: Bool {
        switch reason {
        case .missing, .file, .missingValue: true
        case .database(.missingTable), .database(.corrupt), .database(.notADatabase): true
        default: false
        }
    }

    /// Whether it may be over without any event of the file.
    package var isRetried: Bool {
        switch reason {
        case .unreadable, .database(.busy), .database(.file): true
        default: false
        }
    }

    package init(_ file: RelativePath, _ reason: Reason) { (self.file, self.reason) = (file, reason) }
}
