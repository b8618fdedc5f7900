package import CLinux

/// The program for the kernel that decides which system calls of a gated process wait for an answer.
///
/// The kernel sees numbers, not paths or files: every `open` waits, and whoever answers lets those pass that
/// lead elsewhere. Of `mmap` only shared mappings wait, and of another architecture's calls all: their
/// numbers mean something else.
package enum SystemCallFilter {
    package static let instructions: [sock_filter] = {
        let calls = FilteredCall.allCases.filter { $0 != .mmap }.compactMap(\.number)
        let count = calls.count
        var list = [load(architectureOffset), jump(equal, linux_architecture, yes: 1, no: 0), answer(notify)]
        list += [load(numberOffset), jump(hasBits, otherNumbers, yes: 0, no: 1), answer(notify)]
        for (index, call) in calls.enumerated() {
            list.append(jump(equal, UInt32(bitPattern: call), yes: count - index + 4, no: 0))
        }
        list.append(jump(equal, UInt32(bitPattern: FilteredCall.mmap.number ?? -1), yes: 1, no: 0))
        list.append(answer(allow))
        // Both MAP_SHARED and MAP_SHARED_VALIDATE have this bit, and MAP_PRIVATE has not.
        list += [load(fourthArgumentOffset), jump(hasBits, 1, yes: 1, no: 0), answer(allow), answer(notify)]
        return list
    }()

    // `struct seccomp_data`: the number, the architecture, the instruction's address, six arguments. The
    // lower half of an argument comes first on the architectures that this runs on.
    private static let numberOffset: UInt32 = 0
    private static let architectureOffset: UInt32 = 4
    private static let fourthArgumentOffset: UInt32 = 16 + 3 * 8

    /// The bit of x86-64's calls with 32-bit pointers.
    private static let otherNumbers: UInt32 = 0x4000_0000

    /// Whether the numbers and arguments of a call are this architecture's own.
    package static func isNative(_ call: linux_gated_call) -> Bool {
        call.architecture == linux_architecture
            && UInt32(bitPattern: call.number) & otherNumbers == 0
    }

    private static let allow: UInt32 = 0x7fff_0000
    private static let notify: UInt32 = 0x7fc0_0000

    private static let equal = UInt16(BPF_JEQ)
    private static let hasBits = UInt16(BPF_JSET)

    private static func load(_ offset: UInt32) -> sock_filter {
        sock_filter(code: UInt16(BPF_LD | BPF_W | BPF_ABS), jt: 0, jf: 0, k: offset)
    }

    /// - Parameters:
    ///   - yes: how many instructions to skip if the test holds.
    ///   - no: how many to skip if not.
    private static func jump(_ test: UInt16, _ value: UInt32, yes: Int, no: Int) -> sock_filter {
        sock_filter(code: UInt16(BPF_JMP | BPF_K) | test, jt: UInt8(yes), jf: UInt8(no), k: value)
    }

    private static func answer(_ action: UInt32) -> sock_filter {
        sock_filter(code: UInt16(BPF_RET | BPF_K), jt: 0, jf: 0, k: action)
    }
}
