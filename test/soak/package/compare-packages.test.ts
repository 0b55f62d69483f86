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

function linesOf(file: Buffer): string[] {
  const comparison = comparePackages(file, rebuilt)
  if (comparison.kind !== "different") return [comparison.kind]
  return comparison.differences.flatMap(({ path, lines }) =>
    lines.map((line) => `${path}: ${line}`)
  )
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

for (
  const [name, file, lines] of [
    ["a line", pack([{ ...program, text: "#!/usr/bin/env node\nsteal()\n" }, icon, manifest]), [
      "dist/core/main.js: differs from line 2 on (byte 21)",
      'dist/core/main.js:   the file:        "steal()"',
      'dist/core/main.js:   the rebuilt one: "serve()"',
    ]],
    ["bytes that are no text", pack([program, { ...icon, text: "\0\0abd" }, manifest]), [
      "icon: differs from byte 4 on",
    ]],
    ["a mode", pack([{ ...program, mode: 0o777 }, icon, manifest]), [
      'dist/core/main.js: has the mode "000777", and the rebuilt one "000755"',
    ]],
    [
      "a link in the place of a file",
      pack([
        program,
        icon,
        { ...manifest, at: { 156: "2", 157: "/etc/passwd" } },
      ]),
      [
        'package.json: has the type "2", and the rebuilt one "0"',
        'package.json: has the link to "/etc/passwd", and the rebuilt one ""',
      ],
    ],
    ["a file more", pack([...usual, extra]), ["dist/extra.js: is only in the file"]],
    ["a name for terminals", pack([...usual, { ...extra, path: "package/\u001b[2Jx" }]), [
      "\\u001b[2Jx: is only in the file",
    ]],
    ["the order", pack([icon, program, manifest]), [
      ": the files are in another order, from icon on",
    ]],
    ["a byte between files", gzipSync(padded), [
      `: the archives differ at byte ${512 + program.text.length}, outside of all files`,
    ]],
    ["no gzip", Buffer.from("<html>"), [": it is no gzip"]],
    ["a broken header", gzipSync(Buffer.concat([Buffer.alloc(512, "x"), padded])), [
      ": its archive is broken at byte 0",
    ]],
  ] as const
) {
  t.test(`what differs is named: ${name}`, (t) => {
    t.strictSame(linesOf(file), lines)
    t.end()
  })
}

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
  t.strictSame(linesOf(named), [": its gzip header has fields that npm does not write"])
  t.match(linesOf(rebuilt.subarray(0, 60)), [/^: it cannot be decompressed: /])
  // Some releases of Node.js refuse them, others pass over them.
  const longer = Buffer.concat([rebuilt, Buffer.from("more")])
  t.match(linesOf(longer), [/^: (4 bytes follow its archive|it cannot be decompressed: )/])
  t.end()
})

t.test("readFromPackage returns a file's text", (t) => {
  t.equal(readFromPackage(rebuilt, "package.json"), manifest.text)
  t.throws(() => readFromPackage(rebuilt, "other.json"), { message: "it has no other.json" })
  t.end()
})
