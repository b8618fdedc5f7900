import Foundation
import Stores

/// Property lists as Foundation reads and writes them.
enum PropertyListFoundation {
    /// The values in the form of `StoreValue.text`.
    static func read(_ bytes: [UInt8]) throws -> (values: [String: String], isXML: Bool) {
        var format = PropertyListSerialization.PropertyListFormat.openStep
        let read = try unsafe PropertyListSerialization.propertyList(from: Data(bytes), format: &format)
        let values = read as? [String: Any] ?? [:]
        return (values.mapValues(text), format == .xml)
    }

    static func write(_ values: [String: StoreValue], isXML: Bool) throws -> [UInt8] {
        let object = values.mapValues(object)
        let format: PropertyListSerialization.PropertyListFormat = isXML ? .xml : .binary
        return Array(try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0))
    }

    /// Whether Foundation does not write this value as it is: integers beyond Int64 become negative, and -0
    /// becomes 0 where that is in the file as well.
    static func loses(_ value: StoreValue) -> Bool {
        switch value {
        case .unsigned: true
        case .real(let number): number == 0 && number.sign == .minus
        case .array(let values): values.contains(where: loses)
        case .dictionary(let values): values.values.contains(where: loses)
        default: false
        }
    }

    private static func object(_ value: StoreValue) -> Any {
        switch value {
        case .string(let text): text
        case .bool(let isTrue): isTrue
        case .integer(let number): NSNumber(value: number)
        case .unsigned(let number), .uid(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .data(let bytes): Data(bytes)
        case .array(let values): values.map(object)
        case .dictionary(let values): [String: StoreValue](values).mapValues(object)
        case .int32(let number): NSNumber(value: number)
        case .float(let number): NSNumber(value: number)
        case .strings(let texts): texts
        }
    }

    private static func text(_ object: Any) -> String {
        // A number of 1 is also a `Bool` to `as?`.
        if type(of: object) == Bool.self { return StoreValue.bool(object as? Bool == true).text }
        switch object {
        case let text as String: return StoreValue.string(text).text
        case let data as Data: return StoreValue.data(Array(data)).text
        case let date as Date: return StoreValue.date(date.timeIntervalSinceReferenceDate).text
        case let values as [Any]: return "[\(values.map(text).joined(separator: ","))]"
        case let values as [String: Any]:
            let pairs = values.map { StoreValue.string($0.key).text.dropFirst() + "=" + text($0.value) }
            return "{\(pairs.sorted().joined(separator: ","))}"
        case let number as NSNumber:
            if isReal(number) { return StoreValue.real(number.doubleValue).text }
            return "i\(number.stringValue)"
        default: return "\(type(of: object))"
        }
    }

    private static func isReal(_ number: NSNumber) -> Bool {
        let type = unsafe String(cString: number.objCType)
        return type == "d" || type == "f"
    }
}
