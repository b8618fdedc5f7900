package import Documents
package import Model

/// Why two sides do not hold the same by value; `nil`: they do.
package func whyUnequal(_ app: [UInt8], _ group: [UInt8], _ rule: DocumentRule?) -> String? {
    guard let app = try? JSON(parsing: app), let group = try? JSON(parsing: group) else {
        return "unreadable, and not held"
    }
    guard let rule, case .known(let mine) = rule.version(of: app),
        case .known(let theirs) = rule.version(of: group),
        mine != theirs
    else { return app.isEqual(to: group) ? nil : "the values differ" }
    // What only the newer one can say stands on one side alone.
    let older = min(mine, theirs)
    let one = try? rule.translate(app, from: mine, to: older, agreed: nil)
    let other = try? rule.translate(group, from: theirs, to: older, agreed: nil)
    guard let one, let other, one.isEqual(to: other) else { return "the values differ in version \(older)" }
    return nil
}

/// Of versions, by their numbers.
package func whyUnequal(_ sides: BothSides<Int>, _ versions: [Version], _ rule: DocumentRule?) -> String? {
    if sides.app == sides.group { return nil }
    if sides.app == History.absent { return "app has it not" }
    if sides.group == History.absent { return "group has it not" }
    return whyUnequal(versions[sides.app].bytes, versions[sides.group].bytes, rule)
}
