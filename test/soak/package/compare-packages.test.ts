import { Buffer } from "node:buffer"
import { gunzipSync, gzipSync } from "node:zlib"
import t from "tap"
import { comparePackages } from "./compare-packages.ts"

const archive = Buffer.from("serve()\n".repeat(40) + "\0".repeat(200))
const rebuilt = gzipSync(archive)

/** Returns a package with another byte at a place. */
function withByte(at: number, byte: number): Buffer {
  const file = Buffer.from(rebuilt)
  file[at] = byte
  return file
}

t.test("equal bytes are equal, and other compression of the same is told apart", (t) => {
  const files = {
    "equal": [Buffer.from(rebuilt)],
    "compression": [
      gzipSync(archive, { level: 1 }),
      gzipSync(archive, { level: 0 }),
      withByte(9, 19),
    ],
    "different": [
      gzipSync(Buffer.from("steal()\n".repeat(40) + "\0".repeat(200))),
      gzipSync(archive.subarray(1)),
      Buffer.from("<html>"),
      Buffer.alloc(0),
      rebuilt.subarray(0, 20),
      // Its header says that fields follow.
      withByte(3, 8),
      // Some releases of Node.js refuse what follows, others pass over it.
      Buffer.concat([rebuilt, Buffer.from("more")]),
    ],
  }
  for (const [expected, all] of Object.entries(files)) {
    for (const file of all) t.equal(comparePackages(file, rebuilt), expected)
  }
  t.end()
})

t.test("a byte of the file that is changed is noticed, wherever it is", (t) => {
  const unpacksToTheSame = (file: Buffer) => {
    try {
      return gunzipSync(file).equals(archive)
    } catch {
      return false
    }
  }
  for (let at = 0; at < rebuilt.length; at++) {
    const file = withByte(at, (rebuilt[at] ?? 0) ^ 1)
    const isSame = at > 3 && unpacksToTheSame(file)
    t.equal(comparePackages(file, rebuilt), isSame ? "compression" : "different", `byte ${at}`)
  }
  t.end()
})
