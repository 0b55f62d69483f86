import { Buffer } from "node:buffer"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { buffer } from "node:stream/consumers"
import t from "tap"
import { Splicer } from "../../../core/records/splicer.ts"

/** Fails if anything follows the first member. */
const oneMember = `import sys, zlib
reader = zlib.decompressobj(31)
sys.stdout.buffer.write(reader.decompress(sys.stdin.buffer.read()))
assert reader.eof and not reader.unused_data`
const severalMembers =
  "import gzip, sys; sys.stdout.buffer.write(gzip.decompress(sys.stdin.buffer.read()))"

const readers: Record<string, readonly string[]> = {
  "gzip": ["gzip", "-dc"],
  "a reader of one member": ["python3", "-c", oneMember],
  "a reader of several members": ["python3", "-c", severalMembers],
}

const records = Array.from({ length: 3000 }, (_, n) => `{"id":${n},"name":"Ünal ${n % 7}"},`)
const body = new Uint8Array(Buffer.from(records.join("")))
const splicer = new Splicer(64 * 1024 * 1024)
for (const _ of ["new", "seen"]) await splicer.gzip(body, [30_000, 30_040])
const gzip = await splicer.gzip(body, [30_000, 30_040])
if (gzip === undefined) throw new Error("It was left to others.")

for (const [name, [program = "", ...args]] of Object.entries(readers)) {
  const skip = spawnSync(program, ["--version"]).error !== undefined
  t.test(
    `what Splicer.gzip returns is read by ${name}`,
    { skip },
    async (t) => {
      const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] })
      const exit = once(child, "exit")
      child.stdin.end(gzip)
      const output = await buffer(child.stdout)
      t.equal((await exit)[0], 0)
      t.ok(output.equals(Buffer.from(body)))
    },
  )
}
