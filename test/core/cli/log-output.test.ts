import { Buffer } from "node:buffer"
import t from "tap"
import { LogOutput } from "../../../core/cli/log-output.ts"

/** An output that can fail, or take a few bytes at a time, or nothing. */
class FakeOutput {
  text = ""
  notices: string[] = []
  /** The code of the errors of the next writes; "hang" for writes that never end. */
  error: string | undefined
  portion = Infinity
  attempts = 0

  write = async (bytes: Uint8Array): Promise<number> => {
    this.attempts++
    await undefined
    if (this.error === "hang") return await new Promise(() => {})
    if (this.error) throw Object.assign(new Error("failed"), { code: this.error })
    const part = bytes.subarray(0, this.portion)
    this.text += Buffer.from(part).toString("latin1")
    return part.length
  }

  notify = (line: string): void => void this.notices.push(line)
}

t.test("LogOutput writes all lines in order, however few bytes the output takes at a time", async (t) => {
  const fake = new FakeOutput()
  const output = new LogOutput(fake)
  fake.portion = 7
  const lines = Array.from({ length: 100 }, (_, n) => `line ${n}\n`)
  for (const line of lines) output.write(line)
  await output.close(60_000)
  t.equal(fake.text, lines.join(""))
  t.equal(output.dropped, 0)
  t.strictSame(fake.notices, [])
})

t.test("LogOutput writes lines together that come while one is being written", async (t) => {
  const fake = new FakeOutput()
  const output = new LogOutput(fake)
  for (let n = 0; n < 100; n++) output.write("line\n")
  await output.close(60_000)
  t.equal(fake.attempts, 2)
})

t.test("LogOutput writes the first line at once, and together what comes shortly after", async (t) => {
  const fake = new FakeOutput()
  const output = new LogOutput(fake)
  output.write("first\n")
  t.equal(fake.attempts, 1)
  for (let n = 0; n < 5; n++) {
    await new Promise((resolve) => setImmediate(resolve))
    output.write("line\n")
  }
  await output.close(60_000)
  t.equal(fake.attempts, 2)
  t.equal(fake.text, `first\n${"line\n".repeat(5)}`)
})

for (const error of ["ENOSPC", "EPIPE", "EIO"]) {
  t.test(`LogOutput keeps lines during ${error}, drops and counts those beyond the bound, and recovers`, async (t) => {
    const fake = new FakeOutput()
    const recoveries: number[] = []
    const output = new LogOutput({
      write: fake.write,
      notify: fake.notify,
      most: 30,
      onRecovery: (dropped) => {
        recoveries.push(dropped)
        output.write("the gap\n")
      },
    })
    for (let round = 1; round <= 2; round++) {
      fake.error = error
      fake.text = ""
      // Ten bytes each, though most have fewer characters.
      const before = fake.attempts
      for (let n = 0; n < 5; n++) {
        output.write(`£££-${n}-\n`)
        while (fake.attempts < before + 2) await new Promise((resolve) => setTimeout(resolve, 1))
      }
      t.equal(output.dropped, 2 * round)
      fake.error = undefined
      while (!fake.text.includes("gap")) await new Promise((resolve) => setTimeout(resolve, 1))
      const text = Buffer.from(fake.text, "latin1").toString()
      t.equal(text, "£££-0-\n£££-1-\n£££-2-\nthe gap\n", "what was kept, and then what is new")
    }
    t.strictSame(recoveries, [2, 2])
    t.equal(fake.notices.length, 4)
    t.match(fake.notices, [error, /takes lines again. 2 were dropped/, error, /takes lines again/])
    await output.close(0)
  })
}

t.test("LogOutput says nothing of a reader that is slow, until lines are dropped", async (t) => {
  const fake = new FakeOutput()
  const output = new LogOutput({ ...fake, most: 20 })
  fake.error = "EAGAIN"
  output.write("a line of 13\n")
  while (fake.attempts < 3) await new Promise((resolve) => setTimeout(resolve, 1))
  t.strictSame(fake.notices, [])
  output.write("a line of 13\n")
  t.match(fake.notices, [/takes no more lines \(it is too slow\)/])
  t.equal(output.dropped, 1)
  fake.error = undefined
  await output.close(60_000)
  t.equal(fake.text, "a line of 13\n")
  t.match(fake.notices.slice(1), [/takes lines again\. 1 were dropped/])
})

t.test("close waits for the last lines, and gives up on an output that takes none", async (t) => {
  for (const error of ["hang", "ENOSPC", "EAGAIN"]) {
    const fake = new FakeOutput()
    fake.error = error
    const output = new LogOutput(fake)
    output.write("the end\n")
    await output.close(20)
    t.match(fake.notices.at(-1), /The last 8 bytes of the log could not be written/, error)
  }
})
