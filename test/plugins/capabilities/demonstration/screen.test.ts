import { mock } from "node:test"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { Screen } from "../../../../plugins/capabilities/demonstration/screen.ts"
import { TerminalWindow } from "../../../support/terminal-window.ts"

t.test("Screen keeps its line below what is printed, makes it again every second, and removes it in the end", async (t) => {
  mock.timers.enable({ apis: ["setInterval"] })
  t.teardown(() => mock.timers.reset())
  const { screen, rows } = screenOf(t)
  let count = 0
  screen.show(() => `shown ${++count}`)
  screen.print("a guide\n\nof three lines")
  t.strictSame(await rows(), ["a guide", "", "of three lines", "shown 2"])
  mock.timers.tick(1000)
  t.strictSame(await rows(), ["a guide", "", "of three lines", "shown 3"])
  await screen.close()
  mock.timers.tick(3000)
  t.strictSame(await rows(), ["a guide", "", "of three lines"])
  t.equal(count, 3)
})

t.test("Screen cuts a line that does not fit, and follows the width of the window", async (t) => {
  const { screen, rows, resize } = screenOf(t, 20)
  screen.show(() => "a line that is much longer")
  t.strictSame(await rows(), ["a line that is much"])
  resize(7)
  screen.print("-")
  t.match(await rows(), ["-", "a line"])
})

t.test("Screen shows control characters instead of obeying them", async (t) => {
  const { screen, rows } = screenOf(t)
  screen.show(() => "a\x1b[2Jline")
  screen.print("a\rtext")
  t.strictSame(await rows(), ["a\\u000dtext", "a\\u001b[2Jline"])
})

t.test("Screen says that the terminal is gone, and not that it is slow", async (t) => {
  for (const [code, isGone] of [["EIO", true], ["EAGAIN", false]] as const) {
    let gone = false
    const write = () => Promise.reject(Object.assign(new Error(code), { code }))
    const screen = new Screen({ write }, () => gone = true)
    screen.show(() => "a line")
    await screen.close()
    t.equal(gone, isGone, code)
  }
})

/** Opens a screen on a window, until the test ends. */
function screenOf(t: Test, columns = 80) {
  const window = new TerminalWindow(columns)
  let width = columns
  const write = (bytes: Uint8Array) => {
    window.write(new TextDecoder().decode(bytes))
    return Promise.resolve(bytes.length)
  }
  const screen = new Screen({ write, columns: () => width }, () => {})
  t.teardown(() => screen.close())
  return {
    screen,
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
