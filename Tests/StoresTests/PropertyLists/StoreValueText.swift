import Foundation
import Stores

extension StoreValue {
    /// A text that is the same for the same value alone, in whatever language it is composed. The Python of
    /// `PropertyListScripts` composes it, too.
    var text: String {
        switch self {
        case .string(let text): "s" + hexadecimal(text.utf8)
        case .bool(let isTrue): isTrue ? "true" : "false"
        case .integer(let number): "i\(number)"
        case .unsigned(let number): "i\(number)"
        case .int32(let number): "n\(number)"
        case .real(let number): "r" + bits(number)
        case .float(let number): "f\(number.bitPattern)"
        case .data(let bytes): "x" + hexadecimal(bytes)
        case .date(let seconds): "d" + bits(seconds)
        case .strings(let texts): "{\(texts.map { hexadecimal($0.utf8) }.joined(separator: ","))}"
        case .array(let values): "[\(values.map(\.text).joined(separator: ","))]"
        case .dictionary(let values): Self.text([String: StoreValue](values))
        case .uid(let number): "u\(number)"
        }
    }

    /// Of a dictionary.
    static func text(_ values: [String: StoreValue]) -> String {
        let pairs = values.map { hexadecimal($0.key.utf8) + "=" + $0.value.text }
        return "{\(pairs.sorted().joined(separator: ","))}"
    }
}

private func bits(_ number: Double) -> String { number.isNaN ? "nan" : String(number.bitPattern, radix: 16) }

private func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

extension KeyedFile {
    init(parsing bytes: [UInt8]) throws(StoreFault) { try self.init(parsing: bytes, limits: StoreLimits()) }

    /// All of it.
    var values: [String: StoreValue] {
        Dictionary(uniqueKeysWithValues: keys.compactMap { key in self[key].map { (key, $0) } })
    }

    /// A file with these keys, and no others.
    static func file(_ values: [String: StoreValue]) throws(StoreFault) -> [UInt8] {
        try Self().replacing(values.exact.mapValues { $0 })
    }

    /// What parsing throws; `nil` if it succeeds.
    static func fault(parsing bytes: [UInt8], limits: StoreLimits = StoreLimits()) -> StoreFault? {
        do throws(StoreFault) {
            _ = try Self(parsing: bytes, limits: limits)
            return nil
        } catch {
            return error
        }
    }
}

extension [String: StoreValue] {
    init(_ values: [ExactText: StoreValue]) {
        self.init(uniqueKeysWithValues: values.map { ($0.key.text, $0.value) })
    }

    var exact: [ExactText: StoreValue] {
        [ExactText: StoreValue](uniqueKeysWithValues: map { (ExactText($0.key), $0.value) })
    }
}
