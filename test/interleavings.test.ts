// slow: starts processes
import { spawnSync } from "node:child_process"
import process from "node:process"
import t from "tap"

function run(...args: readonly string[]) {
  const program = ["test/interleavings.ts", ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, program, { encoding: "utf8" })
  return { code: status, out: stdout, err: stderr }
}

t.test("plays all interleavings of a design, by default of the service's own", (t) => {
  const { code, out } = run()
  t.match(out, /^4,200 of 4,200 interleavings, 1,785 steps/)
  t.equal(code, 0)
  t.end()
})

t.test("prints the first interleaving that fails as a table, with the command that replays it", (t) => {
  const { code, out } = run("--design", "no lag")
  t.equal(code, 1)
  t.match(out, /^clock +\| writer A \| writer B \| walk +\| the reader gets$/m)
  const [, index = ""] = /--design "no lag" --scenario "two updates" --index (\d+)$/m.exec(out) ??
    []
  const again = run("--design", "no lag", "--scenario", "two updates", "--index", index)
  t.equal(again.code, 1)
  t.equal(again.out, out.slice(out.indexOf("\n") + 1), "the replay prints the same")
  t.end()
})

t.test("replays an interleaving in which nothing is lost", (t) => {
  const { code, out } = run("--index", "4199")
  t.equal(code, 0)
  const [copy, table] = ["copy", "table"].map((row) =>
    new RegExp(`\\| ${row} +\\| (.*)$`, "m").exec(out)?.[1]
  )
  t.ok(copy)
  t.equal(copy, table)
  t.end()
})

t.test("lists the designs, and the names to choose from if one is unknown", (t) => {
  t.match(run("--list").out, /^oldest first: two updates$/m)
  t.match(run("--design", "newest last"), {
    code: 2,
    err: /no design "newest last": event-export; /,
  })
  t.match(run("--scenario", "none"), { code: 2, err: /no scenario "none": two updates; / })
  t.match(run("--index", "4200"), { code: 2, err: /there is no merge 4200: the last one is 4199/ })
  t.end()
})
