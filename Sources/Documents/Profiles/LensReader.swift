/// Reads lenses: each is a mapping with one key, its name.
enum LensReader {
    static func lens(_ field: YAMLField) throws(ProfileError) -> any Lens {
        let members = try field.members()
        guard members.count == 1, let (name, value) = members.first else {
            throw field.fail("a lens is one name with what it does, such as `wrap: data`")
        }
        switch name {
        case "add": return try AddLens(value)
        case "wrap": return WrapLens(key: try value.bytes())
        default: throw value.fail("unknown lens; known: add, wrap")
        }
    }
}

extension AddLens {
    init(_ field: YAMLField) throws(ProfileError) {
        let fields = try field.fields(["field", "value", "copy", "first", "after"])
        guard let name = fields["field"] else { throw field.fail("`field`, its name, is missing") }
        key = try name.bytes()
        switch (fields["value"], fields["copy"]) {
        case (let value?, nil): content = .constant(try value.json())
        case (nil, let other?): content = .copy(of: try other.bytes())
        default: throw field.fail("either `value` or `copy` says what it is")
        }
        switch (fields["first"], fields["after"]) {
        case (nil, nil): order = .last
        case (nil, let other?): order = .after(try other.bytes())
        case (let first?, nil):
            guard try first.text() == "true" else { throw first.fail("expected `true`, or no `first`") }
            order = .first
        default: throw field.fail("either `first` or `after` says where it stands")
        }
    }
}
