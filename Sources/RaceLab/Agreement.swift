package import Documents
package import Model

/// Why the values of two sides differ.
package enum Inequality: Sendable, Hashable {
    /// One of them cannot be read, and is not held.
    case unreadable
    case values
    /// The fields that both versions have, in this version, differ.
    case valuesInVersion(Int)
    case absent(Side)
}

/// `nil` if they are equal.
package func whyUnequal(_ app: [UInt8], _ group: [UInt8], _ rule: DocumentRule?) -> Inequality? {
    guard let app = try? JSON(parsing: app), let group = try? JSON(parsing: group) else { return .unreadable }
    guard let rule, case .known(let mine) = rule.version(of: app),
        case .known(let theirs) = rule.version(of: group),
        mine != theirs
    else { return app.isEqual(to: group) ? nil : .values }
    // The fields that only the newer version has are on one side alone.
    let older = min(mine, theirs)
    let one = try? rule.translate(app, from: mine, to: older, agreed: nil)
    let other = try? rule.translate(group, from: theirs, to: older, agreed: nil)
    guard let one, let other, one.isEqual(to: other) else { return .valuesInVersion(older) }
    return nil
}

/// The same for the numbers of two versions.
package func whyUnequal(
    _ sides: BothSides<Int>,
    _ versions: [Version],
    _ rule: DocumentRule?
) -> Inequality? {
    if sides.app == sides.group { return nil }
    if sides.app == History.absent { return .absent(.app) }
    if sides.group == History.absent { return .absent(.group) }
    return whyUnequal(versions[sides.app].bytes, versions[sides.group].bytes, rule)
}
