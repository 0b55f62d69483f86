import { Buffer } from "node:buffer"
import { gunzipSync, gzipSync } from "node:zlib"
import t from "tap"
import { archiveOf, type Member } from "../../support/archive.ts"
import { comparePackages, readFromPackage } from "./compare-packages.ts"

const program: Member = {
  path: "package/dist/core/main.js",
  text: "#!/usr/bin/env node\nserve()\n",
  mode: 0o755,
}
const manifest: Member = { path: "package/package.json", text: '{ "version": "1.3.0" }\n' }
const icon: Member = { path: "package/icon", text: "\0\0abc" }
const usual = [program, icon, manifest]
const pack = (members: readonly Member[]) => gzipSync(archiveOf(members))
const rebuilt = pack(usual)

function linesOf(file: Buffer): readonly string[] {
  const comparison = comparePackages(file, rebuilt)
  return comparison.kind === "different" ? comparison.lines : [comparison.kind]
}

t.test("equal bytes are equal, and other compression of the same is told apart", (t) => {
  t.strictSame(comparePackages(Buffer.from(rebuilt), rebuilt), { kind: "equal" })
  t.strictSame(comparePackages(gzipSync(archiveOf(usual), { level: 1 }), rebuilt), {
    kind: "compression",
  })
  const ofAnotherSystem = Buffer.from(rebuilt)
  ofAnotherSystem[9] = 19
  t.strictSame(comparePackages(ofAnotherSystem, rebuilt), { kind: "compression" })
  t.end()
})

const extra = { path: "package/dist/extra.js", text: "steal()" }
const padded = archiveOf(usual)
padded.fill("x", 512 + program.text.length, 512 + program.text.length + 1)

const otherHeader = "has another mode, owner, time, type or link: compare them with tar -tv"
const cases: readonly [file: Buffer, line: string][] = [
  [
    pack([{ ...program, text: "#!/usr/bin/env node\nsteal()\n" }, icon, manifest]),
    "dist/core/main.js differs from byte 21 on",
  ],
  [pack([{ ...program, mode: 0o777 }, icon, manifest]), `dist/core/main.js ${otherHeader}`],
  [
    pack([program, icon, { ...manifest, at: { 156: "1", 157: "/etc/passwd" } }]),
    `package.json ${otherHeader}`,
  ],
  [pack([program, icon]), "package.json is missing in the file"],
  [pack([...usual, extra]), "dist/extra.js is only in the file"],
  [pack([...usual, { ...extra, path: "package/\u001b[2Jx" }]), "\\u001b[2Jx is only in the file"],
  [pack([...usual, program]), "dist/core/main.js (number 2 of this name) is only in the file"],
  [pack([icon, program, manifest]), "the files are in another order, from icon on"],
  [
    gzipSync(padded),
    `the archives differ at byte ${512 + program.text.length}, outside of all files`,
  ],
  [Buffer.from("<html>"), "it is no gzip"],
  [
    gzipSync(Buffer.concat([Buffer.alloc(512, "x"), padded])),
    "its archive is broken at byte 0",
  ],
]

t.test("what differs is named", (t) => {
  for (const [file, line] of cases) t.strictSame(linesOf(file), [line])
  t.end()
})

t.test("a byte of the file that is changed is noticed, wherever it is", (t) => {
  const archive = gunzipSync(rebuilt)
  const unpacksToTheSame = (file: Buffer) => {
    try {
      return gunzipSync(file).equals(archive)
    } catch {
      return false
    }
  }
  for (let at = 0; at < rebuilt.length; at++) {
    const file = Buffer.from(rebuilt)
    file[at] = (file[at] ?? 0) ^ 1
    const [line = ""] = linesOf(file)
    t.equal(line === "compression", at > 3 && unpacksToTheSame(file), `byte ${at}: ${line}`)
  }
  const named = Buffer.from(rebuilt)
  named[3] = 8
  t.strictSame(linesOf(named), ["its gzip header has fields that npm does not write"])
  t.match(linesOf(rebuilt.subarray(0, 60)), [/^it cannot be decompressed: /])
  // Some releases of Node.js refuse them, others pass over them.
  const longer = Buffer.concat([rebuilt, Buffer.from("more")])
  t.match(linesOf(longer), [/^(4 bytes follow its archive|it cannot be decompressed: )/])
  t.end()
})

t.test("readFromPackage returns a file's text", (t) => {
  t.equal(readFromPackage(rebuilt, "package.json"), manifest.text)
  t.throws(() => readFromPackage(rebuilt, "other.json"), { message: "it has no other.json" })
  t.end()
})
