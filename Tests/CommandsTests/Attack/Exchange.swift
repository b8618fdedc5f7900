import CLinux
import Glibc

/// Exchanges two names atomically.
func exchange(_ one: String, _ other: String) {
    let result = unsafe linux_renameat2(AT_FDCWD, one, AT_FDCWD, other, linux_rename_exchange)
    precondition(result == 0, "exchange \(one) and \(other): \(errno)")
}
