import FileSystem
import Testing

/// Directories that a mount shows under another path.
@Suite struct MountTableTests {
    private let table = MountTable(
        """
        1 0 8:1 / / rw - ext4 /dev/root rw
        2 1 8:1 /data/shared /mnt/shared rw - ext4 /dev/root rw
        3 1 8:1 /home/a\\040b /mnt/with\\040blank rw - ext4 /dev/root rw
        4 1 0:9 / /tmp rw - tmpfs none rw
        5 4 8:1 /data /tmp/root/deep rw - ext4 /dev/root rw
        6 1 8:1 /old /twice rw - ext4 /dev/root rw
        7 1 8:1 /new /twice rw - ext4 /dev/root rw
        """
    )

    @Test(arguments: [
        ("/a", "/a"), ("/a", "/a/b"), ("/a/b", "/a"), ("/data/shared", "/mnt/shared"),
        ("/data", "/mnt/shared"), ("/data/shared/x", "/mnt/shared"), ("/mnt/shared/x", "/data/shared"),
        ("/home/a b/c", "/mnt/with blank/c"), ("/tmp/root", "/data/shared"), ("/mnt", "/data/shared"),
        ("/twice/x", "/new/x"), ("/", "/data"),
    ])
    func `overlap`(_ one: String, _ other: String) {
        #expect(table.overlap(one, other) && table.overlap(other, one))
    }

    @Test(arguments: [
        ("/a", "/ab"), ("/data/other", "/mnt/shared"), ("/tmp/root/x", "/data"), ("/data", "/tmp/data"),
        ("/twice/x", "/old/x"), ("/mnt/with blank", "/home/a"),
    ])
    func `do not overlap`(_ one: String, _ other: String) {
        #expect(!table.overlap(one, other) && !table.overlap(other, one))
    }
}
