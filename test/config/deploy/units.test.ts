import { readFileSync } from "node:fs"
import t from "tap"

const units = ["event-export.service", "event-export@.service"] as const
const unitText = (name: string) => readFileSync(`config/deploy/${name}`, "utf8")

for (const name of units) {
  t.test(`${name} has only settings of systemd 252, and the right ones`, (t) => {
    const text = unitText(name)
    const value = (setting: string) => new RegExp(`^${setting}=(.*)$`, "m").exec(text)?.[1]
    t.equal(value("Type"), "exec", "nothing tells systemd that it serves")
    t.equal(value("RestartPreventExitStatus"), "2")
    t.notMatch(text, /notify-reload|RestartSteps|RestartMaxDelaySec/)
    t.notMatch(text, /^MemoryDenyWriteExecute/m, "V8 could not start")
    t.end()
  })
}

t.test("event-export@.service differs from event-export.service in what makes several processes", (t) => {
  const linesOf = (name: string) =>
    unitText(name).split("\n").filter((line) => !line.startsWith("#"))
  const [one, several] = units.map(linesOf) as [string[], string[]]
  t.strictSame(several.filter((line) => !one.includes(line)), [
    "Description=event-export, guests and items of events for partners, process %i",
    "Environment=REUSE_PORT=true ADMIN_PORT=%i",
  ])
  t.strictSame(one.filter((line) => !several.includes(line)), [
    "Description=event-export, guests and items of events for partners",
  ])
  t.end()
})
