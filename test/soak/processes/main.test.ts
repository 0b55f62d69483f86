import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import process from "node:process"
import t from "tap"

/** Makes Node.js believe that it is another version. */
const pretend = (version: string) => [
  "--import",
  `data:text/javascript,Object.defineProperty(process.versions, "node", { value: "${version}" })`,
]

const sentenceWith = (advice: string) =>
  new RegExp(
    `^event-export needs Node\\.js 24 or newer, and this is v\\S+\\. Nothing was started\\. ${advice}.*\n$`,
  )
const inClone = sentenceWith('"make run"')
/** The package has no Makefile. */
const sentence = process.env["PACKED"] ? sentenceWith("Install a newer Node") : inClone

t.test("main.js runs the command line", (t) => {
  const { status, stdout, stderr } = run(process.execPath, ["core/main.js", "--help"])
  t.match({ status, stdout, stderr }, { status: 0, stdout: /^Usage: event-export /, stderr: "" })
  t.end()
})

t.test("main.js on a Node.js before 24 prints a sentence, and exits with 1", (t) => {
  for (const version of ["18.19.0", "20.20.2", "22.18.0", "23.11.1"]) {
    const args = [...pretend(version), "core/main.js", "serve"]
    t.match(run(process.execPath, args), { status: 1, stdout: "", stderr: sentence }, version)
  }
  t.match(run(process.execPath, [...pretend("24.0.0"), "core/main.js", "--help"]), { status: 0 })
  t.end()
})

const old = oldNode()
t.test("main.js on the old Node.js of this machine prints a sentence", {
  skip: old ? false : "there is no Node.js before 24 on this machine",
}, (t) => {
  t.match(run(old ?? "", ["core/main.js", "serve"]), { status: 1, stdout: "", stderr: inClone })
  t.end()
})

t.test("main.js, package.json and Makefile name the same oldest Node.js", (t) => {
  const { engines, bin } = JSON.parse(readFileSync("package.json", "utf8"))
  t.equal(engines.node, ">=24.0.0")
  t.equal(bin["event-export"], "dist/core/main.js")
  t.match(readFileSync("Makefile", "utf8"), /^NODE_LEAST := 24$/m)
  t.end()
})

function run(command: string, args: readonly string[]) {
  return spawnSync(command, args, { encoding: "utf8" })
}

function oldNode(): string | undefined {
  const folders = `${process.env["PATH"]}${delimiter}/usr/bin`.split(delimiter)
  return folders.map((folder) => join(folder, "node")).filter(existsSync).find((file) =>
    parseInt(execFileSync(file, ["-p", "process.versions.node"], { encoding: "utf8" })) < 24
  )
}
