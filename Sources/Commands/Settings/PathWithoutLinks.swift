import Glibc

/// The path that links lead to; as given if nothing is there.
func withoutLinks(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
}
