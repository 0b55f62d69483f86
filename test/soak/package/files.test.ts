import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import t from "tap"
import { packedTarball } from "../support/packed.ts"

const tarball = await packedTarball()
const files = list(["-t"]).split("\n").filter(Boolean).map((path) => path.replace("package/", ""))

t.test("the package holds everything that runs or is read, and nothing else", (t) => {
  const tracked = execFileSync("git", [
    "ls-files",
    "-co",
    "--exclude-standard",
    "core",
    "plugins",
    "config",
    "test/conformance",
  ], {
    encoding: "utf8",
  })
  // For developers of the core; and what the script of the reference, which is packed, comes from.
  const left = ["core/README.md", "core/poll.svg", "plugins/documents/docs/scalar.ts"]
  const partsOfPull = tracked.split("\n").filter((file) =>
    /^plugins\/documents\/pull\/(client\/.*|(bundle|pull|strip-types)\.ts)$/.test(file)
  )
  const expected = tracked.split("\n").filter((file) =>
    file && ![...left, ...partsOfPull].includes(file) && !file.endsWith(".test.ts")
  ).map((file) => file.replace(/(?<!\.d)\.ts$/, ".js"))
  const packed = files.filter((file) => !file.endsWith(".d.ts"))
  t.strictSame(
    packed.sort(),
    [
      "LICENSE",
      "README.md",
      "dist/package.json",
      "dist/plugins/documents/docs/assets/viewer.js.br",
      "dist/plugins/documents/pull/pull.mjs",
      "package.json",
      ...expected.map((file) => `dist/${file}`),
    ].sort(),
  )
  t.end()
})

t.test("what the package imports is installed with it", (t) => {
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"))
  const installed = new Set(Object.keys(dependencies))
  const code = list(["-xO", "--wildcards", "package/dist/*.js", "package/dist/*.d.ts"])
  const statements = code.matchAll(/^(?:import|export|\})(?:[^"'\n]* from)? "([^".][^"]*)"/gm)
  const late = code.matchAll(/\bimport(?:\.meta\.resolve)?\("([^".][^"]*)"\)/g)
  const imported = [...statements, ...late].map(([, target = ""]) => target)
    .filter((target) => !isBuiltin(target))
    .map((target) => /^(@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? "")
  t.ok(imported.includes("valibot") && imported.includes("yaml"), "imports are found")
  t.strictSame([...new Set(imported)].filter((name) => !installed.has(name)), [])
  t.end()
})

function list(options: readonly string[]): string {
  return execFileSync("tar", ["-zf", tarball, ...options], { encoding: "utf8", maxBuffer: 2 ** 26 })
}
