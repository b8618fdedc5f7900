import CLinux
import Testing

@testable import Processes

@Suite struct SystemCallFilterTests {
    private enum Answer { case allow, notify }

    /// What the kernel would answer: only what the filter is made of.
    private func answer(_ number: Int32, third flags: UInt32 = 0, _ architecture: UInt32) -> Answer? {
        let words: [UInt32: UInt32] = [0: UInt32(bitPattern: number), 4: architecture, 40: flags]
        let program = SystemCallFilter.instructions
        var (place, value): (Int, UInt32) = (0, 0)
        while place < program.count {
            let one = program[place]
            place += 1
            switch Int32(one.code) {
            case BPF_LD | BPF_W | BPF_ABS:
                guard let word = words[one.k] else { return nil }
                value = word
            case BPF_JMP | BPF_JEQ | BPF_K: place += Int(value == one.k ? one.jt : one.jf)
            case BPF_JMP | BPF_JSET | BPF_K: place += Int(value & one.k != 0 ? one.jt : one.jf)
            case BPF_RET | BPF_K: return one.k == 0x7fff_0000 ? .allow : one.k == 0x7fc0_0000 ? .notify : nil
            default: return nil
            }
        }
        return nil
    }

    @Test func `each call that it names waits, and no other does`() {
        let named = Set(FilteredCall.allCases.filter { $0 != .mmap }.compactMap(\.number))
        #expect(named.count > 40)
        for number in Int32(0)..<600 where number != FilteredCall.mmap.number {
            let expected: Answer = named.contains(number) ? .notify : .allow
            #expect(answer(number, linux_architecture) == expected, "call \(number)")
        }
    }

    @Test func `of mappings only the shared ones wait`() throws {
        let number = try #require(FilteredCall.mmap.number)
        #expect(answer(number, third: 2, linux_architecture) == .allow)
        #expect(answer(number, third: 0x22, linux_architecture) == .allow)
        #expect(answer(number, third: 1, linux_architecture) == .notify)
        #expect(answer(number, third: 3, linux_architecture) == .notify)
    }

    @Test func `the numbers of another architecture mean other calls, and all wait`() throws {
        let named: Int32 = try #require(FilteredCall.openat.number)
        for number in [named, Int32.max >> 8] {
            #expect(answer(number, 0x4000_0003) == .notify)
            #expect(answer(number | 0x4000_0000, linux_architecture) == .notify)
        }
    }

    @Test func `each call is known by its number`() {
        for call in FilteredCall.allCases {
            if let number = call.number { #expect(FilteredCall(number: number) == call) }
        }
        #expect(FilteredCall(number: -1) == nil)
    }
}
