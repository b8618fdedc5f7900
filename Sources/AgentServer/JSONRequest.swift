import AgentAPI
import Documents
import FoundationEssentials

/// The body of a request: a JSON object in which every member is known and occurs once.
protocol JSONRequest: Decodable {
    static var members: [String] { get }
    /// The `detail` of the answer to a body of another form.
    static var form: String { get }
}

extension JSONRequest {
    init(parsing body: [UInt8]) throws(ProblemDetails) {
        guard let json = try? JSON(parsing: body),
            let names = try? JSONDecoder().decode(MemberNames.self, from: Data(body)).names
        else { throw .badRequest(Self.form) }
        // Not inside a member: the data of an event is kept as it is.
        if case .object(let members)? = try? JSONPointer.root.value(in: json) {
            for (index, member) in members.enumerated()
            where members[..<index].contains(where: { $0.key == member.key }) {
                let name = String(decoding: member.key, as: UTF8.self)
                throw .badRequest("`\(name)` is given twice")
            }
        }
        for name in names where !Self.members.contains(name) {
            throw .unknownName(name, in: "the body", known: Self.members)
        }
        guard let value = try? JSONDecoder().decode(Self.self, from: Data(body)) else {
            throw .badRequest(Self.form)
        }
        self = value
    }
}

private struct MemberNames: Decodable {
    struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    var names: [String]

    init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue).sorted()
    }
}
