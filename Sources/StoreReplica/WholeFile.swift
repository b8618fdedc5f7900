import Stores

/// A JSON file of another name than its document: one value, without a key.
struct WholeFile: KeyedFile {
    private let bytes: [UInt8]?

    init() { bytes = nil }
    init(parsing bytes: [UInt8], limits: StoreLimits) throws(StoreFault) { self.bytes = bytes }

    static let key = ""
    var keys: [String] { bytes == nil ? [] : [Self.key] }
    subscript(key: String) -> StoreValue? { key == Self.key ? bytes.map { .data($0) } : nil }

    func replacing(_ changes: StoreChanges) throws(StoreFault) -> [UInt8] {
        guard case .data(let new)?? = changes[ExactText(Self.key)] else { return bytes ?? [] }
        return new
    }
}
