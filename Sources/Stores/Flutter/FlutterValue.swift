import Documents

/// Values as the plugin `shared_preferences` keeps them in Android's preferences, which know neither doubles
/// nor lists.
enum FlutterValue {
    private static let list = "VGhpcyBpcyB0aGUgcHJlZml4IGZvciBhIGxpc3Qu"
    private static let jsonList = list + "!"
    private static let bigInteger = "VGhpcyBpcyB0aGUgcHJlZml4IGZvciBCaWdJbnRlZ2Vy"
    private static let double = "VGhpcyBpcyB0aGUgcHJlZml4IGZvciBEb3VibGUu"

    static func encoded(_ value: StoreValue, key: String) throws(StoreFault) -> StoreValue {
        let refusal = StoreFault.unrepresentable(.sharedPreferences, key: key, value.type)
        switch value.dart {
        case .bool, .integer: return value.dart
        case .real(let number): return .string(double + JavaDouble.text(number))
        case .string(let text):
            // The plugin refuses it, too: it would be read as something else.
            guard [list, bigInteger, double].allSatisfy({ text.rest(after: $0) == nil }) else {
                throw refusal
            }
            return value
        case .array(let elements):
            var texts: [JSONText] = []
            for element in elements {
                guard case .string(let text) = element else { throw refusal }
                texts.append(JSONText(text))
            }
            return .string(jsonList + JSONText(texts).description)
        default: throw refusal
        }
    }

    static func decoded(_ value: StoreValue, key: String) throws(StoreFault) -> StoreValue {
        guard case .string(let text) = value else { return value.dart }
        if let json = text.rest(after: jsonList) {
            guard let strings = (try? JSON(parsing: Array(json.utf8))).flatMap(JSONMember.strings) else {
                throw malformed(key, .array)
            }
            return .array(strings.map { .string($0) })
        }
        if let base64 = text.rest(after: list) {
            guard let strings = Base64.decoded(base64).flatMap(JavaStringList.decoded) else {
                throw malformed(key, .array)
            }
            return .array(strings.map { .string($0) })
        }
        if let digits = text.rest(after: bigInteger) {
            if let number = Int64(digits, radix: 36) { return .integer(number) }
            guard let number = UInt64(digits, radix: 36) else { throw malformed(key, .integer) }
            return .unsigned(number)
        }
        if let digits = text.rest(after: double) {
            guard let number = JavaDouble.double(digits) else { throw malformed(key, .real) }
            return .real(number)
        }
        return value
    }

    private static func malformed(_ key: String, _ type: StoreType) -> StoreFault {
        .malformedValue(.sharedPreferences, key: key, nil, .notA(type))
    }
}
