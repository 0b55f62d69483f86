import { execFileSync, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
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

t.test("main.js on a Node.js before 24 prints a sentence, and exits with 1", (t) => {
  for (const version of ["18.19.0", "23.11.1"]) {
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

function run(command: string, args: readonly string[]) {
  return spawnSync(command, args, { encoding: "utf8" })
}

function oldNode(): string | undefined {
  const folders = `${process.env["PATH"]}${delimiter}/usr/bin`.split(delimiter)
  return folders.map((folder) => join(folder, "node")).filter(existsSync).find((file) =>
    parseInt(execFileSync(file, ["-p", "process.versions.node"], { encoding: "utf8" })) < 24
  )
}
