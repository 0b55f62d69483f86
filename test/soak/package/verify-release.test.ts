import { execFileSync, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import process from "node:process"
import t, { type Test } from "tap"
import { copySources, packedTarball } from "../support/packed.ts"

const tarball = await packedTarball()
const file = readFileSync(tarball)
const name = basename(tarball)

t.test("another clone builds the same bytes, whatever umask, time zone, language and settings there are", (t) => {
  const clone = cloneOfSources(t, "a clone in a deeper folder")
  chmodSync(join(clone, "LICENSE"), 0o600)
  appendFileSync(join(clone, "README.md"), "An edit.\n")
  writeFileSync(join(clone, "plugins/design/assets/new.js"), "")
  const { status, stdout, stderr } = verify(clone, tarball)
  t.equal(stderr, "")
  const hash = (algorithm: string, encoding: "hex" | "base64") =>
    createHash(algorithm).update(file).digest(encoding)
  t.match(
    stdout,
    "Not committed, and so left out:\n M README.md\n?? plugins/design/assets/new.js\n",
  )
  t.match(stdout, `\n  SHA-256    ${hash("sha256", "hex")}\n`)
  t.match(stdout, `\n  integrity  sha512-${hash("sha512", "base64")}\n`)
  // The package may have been made by another Node.js: make pack-test runs two.
  t.match(stdout, /^(Equal|The same contents), bit for bit/m)
  t.equal(status, 0)
  t.end()
})

t.test("what is of another version says what to check out, and what is none says so", (t) => {
  const clone = cloneOfSources(t, "clone")
  const present = JSON.parse(readFileSync("package.json", "utf8")).version
  const other = packed(clone, "other", "1.2.0")
  const verdict = (path: string) => {
    const { status, stderr } = verify(clone, path)
    return [status, stderr.trimEnd()]
  }
  const is = `other.tgz is event-export 1.2.0, and this checkout is event-export ${present}.`
  t.strictSame(verdict(other), [
    2,
    `${is} This clone knows no tag of that version: fetch its tags, or ask who released it for the commit.`,
  ])
  git(clone, "tag", "v1.2.0")
  t.strictSame(verdict(other), [
    2,
    `${is} Check it out: git checkout v1.2.0; then again make verify-release.`,
  ])

  t.strictSame(verdict("LICENSE"), [2, "LICENSE is no npm package: it has no package.json."])
  t.strictSame(verdict("missing.tgz"), [2, "Cannot read missing.tgz: ENOENT."])
  t.strictSame(verdict(""), [2, `Which file? make verify-release FILE=${name}`])
  t.end()
})

/** Packs a package that has only a manifest. Returns its file. */
function packed(folder: string, name: string, version: string): string {
  mkdirSync(join(folder, name, "package"), { recursive: true })
  const manifest = JSON.stringify({ name: "event-export", version })
  writeFileSync(join(folder, name, "package/package.json"), manifest)
  const place = join(folder, `${name}.tgz`)
  execFileSync("tar", ["-czf", place, "-C", join(folder, name), "package"])
  return place
}

/** Makes a clone whose only commit has the present sources. */
function cloneOfSources(t: Test, title: string): string {
  const home = resolve(tarball, "..", title)
  const clone = join(home, "clone")
  rmSync(home, { recursive: true, force: true })
  t.teardown(() => rmSync(home, { recursive: true, force: true }))
  mkdirSync(clone, { recursive: true })
  copySources(clone)
  writeFileSync(join(clone, ".gitignore"), "node_modules\n")
  git(clone, "init", "--quiet")
  git(clone, "add", ".")
  git(clone, "commit", "--quiet", "--message", "Begin")
  return clone
}

function git(clone: string, ...args: readonly string[]): string {
  const author = ["user.name=Ada", "user.email=ada@example.org", "commit.gpgsign=false"]
  const settings = author.flatMap((setting) => ["-c", setting])
  return execFileSync("git", ["-C", clone, ...settings, ...args], { encoding: "utf8" }).trim()
}

/** Runs what `make verify-release` runs, in a clone, on a machine that is set up otherwise. */
function verify(clone: string, path: string) {
  const program = resolve("test/soak/package/verify-release.ts")
  const env = {
    ...process.env,
    LC_ALL: "tr_TR.UTF-8",
    TZ: "Pacific/Kiritimati",
    npm_config_ignore_scripts: "true",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.autocrlf",
    GIT_CONFIG_VALUE_0: "true",
  }
  const script = 'umask 077; exec "$@"'
  return spawnSync("sh", ["-c", script, "sh", process.execPath, program, path], {
    cwd: clone,
    env,
    encoding: "utf8",
  })
}
