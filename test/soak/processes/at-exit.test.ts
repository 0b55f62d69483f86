import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { text } from "node:stream/consumers"
import process from "node:process"
import t from "tap"
import { withoutProcesses } from "../../support/quick.ts"

t.test(
  "thirty ends run when the process exits, without a warning, and not if they were taken back",
  {
    skip: withoutProcesses,
  },
  async (t) => {
    const program = `
    import { atExit } from "./test/support/at-exit.ts"
    for (let n = 0; n < 30; n++) atExit(() => process.stdout.write(n + " "))
    atExit(() => process.stdout.write("taken back"))()
  `
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      stdio: ["ignore", "pipe", "pipe"],
    })
    const [output, errors] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "exit"),
    ])
    t.equal(output.trim(), Array.from({ length: 30 }, (_, n) => n).join(" "))
    t.equal(errors, "")
  },
)

t.test("nothing else in the tests listens for the exit of its process", (t) => {
  const files = readdirSync("test", { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts") && !file.includes("node_modules") && !file.startsWith("support/at-exit")
  )
  const listening = files.filter((file) =>
    /process\.(on|once)\("exit"/.test(readFileSync(`test/${file}`, "utf8"))
  )
  t.ok(files.length > 300)
  t.strictSame(listening, [])
  t.end()
})
