import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { Screen } from "../../../../plugins/capabilities/demonstration/screen.ts"
import { TerminalWindow } from "../../../support/terminal-window.ts"

t.test("Screen keeps its line below what is printed", async (t) => {
  const { screen, rows } = screenOf(t)
  screen.show(() => "starting")
  t.strictSame(await rows(), ["starting"])
  screen.print("a guide\n\nof three lines")
  t.strictSame(await rows(), ["a guide", "", "of three lines", "starting"])
  screen.show(() => "ok")
  screen.print("a warning")
  t.strictSame(await rows(), ["a guide", "", "of three lines", "a warning", "ok"])
})

t.test("Screen makes its line again every second", async (t) => {
  const { screen, rows } = screenOf(t)
  let count = 0
  const again = Promise.withResolvers<void>()
  screen.show(() => {
    if (++count === 2) again.resolve()
    return `shown ${count}`
  })
  await again.promise
  t.match(await rows(), [/^shown [2-9]$/])
})

t.test("Screen removes its line in the end, and draws nothing after that", async (t) => {
  const { screen, rows, written } = screenOf(t)
  screen.show(() => "a line")
  screen.print("what stays")
  await screen.close()
  t.strictSame(await rows(), ["what stays"])
  const { length } = written()
  await setTimeout(1100)
  t.equal(written().length, length)
})

t.test("Screen cuts a line that does not fit, and follows the width of the window", async (t) => {
  const { screen, rows, resize } = screenOf(t, 20)
  screen.show(() => "a line that is much longer than the window")
  t.strictSame(await rows(), ["a line that is much"])
  for (const columns of [7, 5, 30, 4]) {
    resize(columns)
    screen.print("-")
    const all = await rows()
    t.equal(
      all.at(-1),
      "a line that is much longer than the window".slice(0, columns - 1).trimEnd(),
    )
    t.strictSame(new Set(all.slice(0, -1)), new Set(["-"]), "nothing is left of the former line")
  }
})

t.test("Screen shows control characters instead of obeying them", async (t) => {
  const { screen, rows } = screenOf(t)
  screen.show(() => "a\x1b[2Jline")
  screen.print("a\rtext")
  t.strictSame(await rows(), ["a\\u000dtext", "a\\u001b[2Jline"])
})

t.test("Screen says that the terminal is gone, and not that it is slow", async (t) => {
  for (const [code, isGone] of [["EIO", true], ["EAGAIN", false]] as const) {
    const attempted = Promise.withResolvers<void>()
    let gone = false
    const write = () => {
      attempted.resolve()
      return Promise.reject(Object.assign(new Error(code), { code }))
    }
    const screen = new Screen({ write }, () => gone = true)
    screen.show(() => "a line")
    await attempted.promise
    await screen.close()
    t.equal(gone, isGone, code)
  }
})

/** Opens a screen on a window, until the test ends. */
function screenOf(t: Test, columns = 80) {
  const window = new TerminalWindow(columns)
  let width = columns
  let written = ""
  const write = (bytes: Uint8Array) => {
    const text = new TextDecoder().decode(bytes)
    written += text
    window.write(text)
    return Promise.resolve(bytes.length)
  }
  const screen = new Screen({ write, columns: () => width }, () => {})
  t.teardown(() => screen.close())
  return {
    screen,
    written: () => written,
    rows: async () => {
      // Its output is written in the background.
      await setTimeout(0)
      return window.rows
    },
    resize(columns: number) {
      width = columns
      window.resize(columns)
    },
  }
}
