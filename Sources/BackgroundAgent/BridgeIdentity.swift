import Documents
import Foundation
import HTTPTypes
import NIOHTTP1
import Reconciliation
import Storage

/// Which bridge somebody means, as far as it is said.
package struct BridgeIdentity: Sendable, Hashable {
    package enum Part: String, Sendable, CaseIterable {
        case app, group, profile
        /// A profile of the same name may have been edited since the agent read it.
        case edition

        package var words: String {
            switch self {
            case .app, .group: "\(rawValue) container"
            case .profile: "profile"
            case .edition: "edition of the profile"
            }
        }

        fileprivate var header: String { "widgetbridge-\(rawValue)" }
    }

    package var parts: [Part: String]

    /// The real paths of what is named. `nil` for no profile: none need be said beside an agent.
    init(_ settings: BridgeSettings) throws(BridgeError) {
        parts = [:]
        if !settings.app.isEmpty { parts[.app] = try BridgeSettings.realPath(settings.app) }
        if !settings.group.isEmpty { parts[.group] = try BridgeSettings.realPath(settings.group) }
        take(settings.profile)
    }

    init(app: String, group: String, profile: Profile?) {
        parts = [.app: app, .group: group, .profile: ""]
        take(profile)
    }

    private mutating func take(_ profile: Profile?) {
        guard let profile else { return }
        parts[.profile] = profile.id
        parts[.edition] = Digest(of: Array(profile.yaml.utf8)).description
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
