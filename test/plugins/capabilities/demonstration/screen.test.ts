import { mock } from "node:test"
import { setTimeout } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import t, { type Test } from "tap"
import { Screen } from "../../../../plugins/capabilities/demonstration/screen.ts"
import { TerminalWindow } from "../../../support/terminal-window.ts"

t.test("Screen keeps its line below what is printed, makes it again every second, and removes it in the end", async (t) => {
  mock.timers.enable({ apis: ["setInterval"] })
  t.teardown(() => mock.timers.reset())
  const { screen, shows } = screenOf(t)
  let count = 0
  screen.show(() => `shown ${++count}`)
  screen.print("a guide\n\nof three lines")
  await shows(["a guide", "", "of three lines", "shown 2"])
  mock.timers.tick(1000)
  await shows(["a guide", "", "of three lines", "shown 3"])
  await screen.close()
  mock.timers.tick(3000)
  await shows(["a guide", "", "of three lines"])
  t.equal(count, 3)
})

t.test("Screen cuts a line that does not fit, and follows the width of the window", async (t) => {
  const { screen, shows, resize } = screenOf(t, 20)
  screen.show(() => "a line that is much longer")
  await shows(["a line that is much"])
  resize(7)
  screen.print("-")
  await shows(["-", "a line"])
})

t.test("Screen shows control characters instead of obeying them", async (t) => {
  const { screen, shows } = screenOf(t)
  screen.show(() => "a\x1b[2Jline")
  screen.print("a\rtext")
  await shows(["a\\u000dtext", "a\\u001b[2Jline"])
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
    /** Waits until the window shows these rows: output is written in the background. */
    async shows(rows: readonly string[]) {
      while (!isDeepStrictEqual(window.rows, rows)) await setTimeout(5)
      t.strictSame(window.rows, rows)
    },
    resize(columns: number) {
      width = columns
      window.resize(columns)
    },
  }
}
