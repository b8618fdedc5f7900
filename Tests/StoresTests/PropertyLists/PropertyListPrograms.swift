import Foundation
import TestWorld
import Testing

/// Programs that are not ours and read and write property lists, and a directory for their files.
struct PropertyListPrograms {
    let directory: URL

    static func with(_ body: (Self) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "plist-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        try await body(Self(directory: directory))
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: directory.appending(path: name))
    }

    func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: directory.appending(path: name)))
    }

    /// The lines of output of a program that must succeed, run in the directory.
    func run(_ command: [String]) async throws -> [String] {
        let running = try Running(command: command, in: directory.path)
        running.write("")
        let ended = await running.ended()
        try #require(ended.status == 0, "\(command[0]): \(ended.output) \(ended.errors)")
        return ended.output.split(separator: "\n").map(String.init)
    }

    /// What Python's `plistlib` reads in these files, in the form of `StoreValue.text`.
    func python(reading names: [String]) async throws -> [String] {
        try await run(["/usr/bin/python3", "-c", Self.describing + Self.reading] + names)
    }

    /// Has `plistlib` write `SEED.binary` and `SEED.xml` for each seed; returns what is in them, as above.
    func python(writing seeds: Range<Int>) async throws -> [String] {
        try await run(["/usr/bin/python3", "-c", Self.describing + Self.writing] + seeds.map(String.init))
    }

    /// The toolchain's `plutil`, beside `swift` if it is not in the path.
    func plutil(_ arguments: String...) async throws {
        let line = #"PATH="$PATH:$(dirname "$(readlink -f "$(command -v swift)")")" exec plutil "$@""#
        _ = try await run(["/bin/sh", "-c", line, "sh"] + arguments)
    }

    private static let describing = """
        import plistlib, random, struct, sys
        from datetime import datetime, timedelta

        def bits(number):
            return "nan" if number != number else "%x" % struct.unpack(">Q", struct.pack(">d", number))

        def text(value):
            if value is True: return "true"
            if value is False: return "false"
            if isinstance(value, str): return "s" + value.encode().hex()
            if isinstance(value, int): return "i%d" % value
            if isinstance(value, float): return "r" + bits(value)
            if isinstance(value, bytes): return "x" + value.hex()
            if isinstance(value, datetime): return "d" + bits((value - datetime(2001, 1, 1)).total_seconds())
            if isinstance(value, plistlib.UID): return "u%d" % value.data
            if isinstance(value, list): return "[" + ",".join(map(text, value)) + "]"
            pairs = sorted(key.encode().hex() + "=" + text(inner) for key, inner in value.items())
            return "{" + ",".join(pairs) + "}"


        """

    private static let reading = """
        for name in sys.argv[1:]:
            with open(name, "rb") as file: print(text(plistlib.load(file)))
        """

    private static let writing = """
        def string(chance):
            return "".join(chance.choice("abcdef .&<>'é߀Ж中🎉𝄞\\n\\t") for _ in range(chance.randrange(24)))

        def number(chance):
            value = struct.unpack(">d", chance.randbytes(8))[0]
            return value if value == value else 0.5

        def value(chance, depth):
            kind = chance.randrange(11 if depth < 4 else 9)
            if kind == 0: return chance.random() < 0.5
            if kind == 1: return chance.getrandbits(63) >> chance.randrange(63)
            if kind == 2: return -(chance.getrandbits(63) >> chance.randrange(63))
            if kind == 3: return chance.getrandbits(64) | 1 << 63
            if kind == 4: return number(chance)
            if kind == 5: return float(chance.randrange(1000)) / 4 + 0.5
            if kind == 6: return datetime(2001, 1, 1) + timedelta(seconds=chance.randrange(-1 << 34, 1 << 34))
            if kind == 7: return chance.randbytes(chance.randrange(40))
            if kind == 8: return string(chance)
            if kind == 9: return [value(chance, depth + 1) for _ in range(chance.randrange(20))]
            return keyed(chance, depth + 1)

        def keyed(chance, depth):
            return {string(chance): value(chance, depth + 1) for _ in range(chance.randrange(18))}

        for seed in sys.argv[1:]:
            made = keyed(random.Random(int(seed)), 0)
            with open(seed + ".binary", "wb") as file:
                plistlib.dump(made, file, fmt=plistlib.FMT_BINARY, sort_keys=False)
            with open(seed + ".xml", "wb") as file: plistlib.dump(made, file, sort_keys=False)
            print(text(made))
        """
}
