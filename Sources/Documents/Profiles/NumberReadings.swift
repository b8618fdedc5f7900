/// What the program of each side keeps of the numbers that it reads.
struct NumberReadings: Sendable {
    private var app = NumberReading.double
    private var group = NumberReading.double

    subscript(side: DocumentView.Container) -> NumberReading {
        switch side {
        case .app: app
        case .group: group
        }
    }
}

extension NumberReadings {
    init(_ field: YAMLField?) throws(ProfileError) {
        let fields = try field?.fields(DocumentView.Container.allCases.map(\.rawValue)) ?? [:]
        if let field = fields["app"] { app = try NumberReading(field) }
        if let field = fields["group"] { group = try NumberReading(field) }
    }
}

extension NumberReading {
    fileprivate init(_ field: YAMLField) throws(ProfileError) {
        let text = try field.text()
        guard let reading = Self(rawValue: text) else {
            throw field.fail(.expected(.oneOf(Self.allCases.map(\.rawValue)), .text(text)))
        }
        self = reading
    }
}
