import Documents
import Foundation
import HTTPTypes
import NIOHTTP1

/// Which bridge somebody means, as far as it is said.
package struct BridgeIdentity: Sendable, Hashable {
    package enum Part: String, Sendable, CaseIterable {
        case app, group, profile

        package var words: String { self == .profile ? "profile" : "\(rawValue) container" }

        fileprivate var header: String { "widgetbridge-\(rawValue)" }
    }

    package var parts: [Part: String]

    /// The real paths of what is named. `nil` for no profile: none need be said beside an agent.
    init(_ settings: BridgeSettings) throws(BridgeError) {
        parts = [:]
        if !settings.app.isEmpty { parts[.app] = try BridgeSettings.realPath(settings.app) }
        if !settings.group.isEmpty { parts[.group] = try BridgeSettings.realPath(settings.group) }
        parts[.profile] = settings.profile?.id
    }

    init(app: String, group: String, profile: String) {
        parts = [.app: app, .group: group, .profile: profile]
    }

    /// As a request carries it.
    init(of fields: HTTPFields) {
        parts = [:]
        for part in Part.allCases {
            parts[part] = HTTPField.Name(part.header).flatMap { fields[$0]?.removingPercentEncoding }
        }
    }

    var headers: HTTPHeaders {
        var headers = HTTPHeaders()
        for part in Part.allCases {
            if let value = parts[part] { headers.add(name: part.header, value: percentEncoded(value)) }
        }
        return headers
    }

    /// Whatever is said must be so.
    func check(against actual: BridgeIdentity) throws(BridgeError) {
        for part in Part.allCases {
            guard let given = parts[part], let known = actual.parts[part], given != known else { continue }
            throw .otherBridge(part, given: given, actual: known.isEmpty ? "none" : known)
        }
    }
}
