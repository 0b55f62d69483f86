import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { stateOf } from "../../../core/config/files.ts"
import { watchFiles } from "../../../core/config/watch.ts"

const changes: Record<string, (file: string, folder: string) => void> = {
  "written": (file) => writeFileSync(file, "two"),
  "truncated and written again": (file) => {
    truncateSync(file)
    writeFileSync(file, "two")
  },
  "replaced by a rename": (file, folder) => {
    writeFileSync(join(folder, "next"), "two")
    renameSync(join(folder, "next"), file)
  },
  "replaced by a link": (file, folder) => {
    writeFileSync(join(folder, "target"), "two")
    symlinkSync("target", join(folder, "link"))
    renameSync(join(folder, "link"), file)
  },
}
for (const [name, change] of Object.entries(changes)) {
  t.test(`watchFiles calls back once when a file is ${name}`, async (t) => {
    const folder = t.testdir({})
    const file = join(folder, "file")
    writeFileSync(file, "one")
    const { calls, looks } = watch(t, [file])
    await looks(3)
    t.equal(calls(), 0, "nothing has changed")
    change(file, folder)
    while (calls() === 0) await looks(1)
    await looks(5)
    t.equal(calls(), 1)
  })
}

t.test("watchFiles waits until the files stay the same for an interval", async (t) => {
  const file = join(t.testdir({}), "file")
  writeFileSync(file, "as it was read")
  const read = new Map([[file, stateOf(file)]])
  let [looks, called] = [0, 0]
  const files = () => {
    if (++looks <= 5) writeFileSync(file, `changing ${looks}`)
    return read
  }
  t.teardown(watchFiles(files, () => called = looks, 1))
  while (called === 0) await setTimeout(1)
  t.equal(called, 6)
})

t.test("watchFiles notices a file of a volume that is swapped by a link to its folder", async (t) => {
  const folder = t.testdir({})
  const swap = (content: string) => {
    mkdirSync(join(folder, content))
    writeFileSync(join(folder, content, "secret"), content)
    symlinkSync(content, join(folder, "..new"))
    renameSync(join(folder, "..new"), join(folder, "..data"))
  }
  swap("one")
  symlinkSync("..data/secret", join(folder, "secret"))
  const { calls, looks } = watch(t, [join(folder, "secret")])
  swap("two")
  while (calls() === 0) await looks(1)
  await looks(5)
  t.equal(calls(), 1)
})

t.test("watchFiles notices a change between the reading of a file and the first look", async (t) => {
  const file = join(t.testdir({}), "file")
  writeFileSync(file, "one")
  const { calls, looks } = watch(t, [file], () => writeFileSync(file, "two"))
  while (calls() === 0) await looks(1)
  await looks(5)
  t.equal(calls(), 1)
})

t.test("watchFiles notices permissions, a file that appears, and one that goes", async (t) => {
  const folder = t.testdir({})
  const [file, later] = [join(folder, "file"), join(folder, "later")]
  writeFileSync(file, "one")
  chmodSync(file, 0o644)
  const { calls, looks } = watch(t, [file, later])
  const changes = [
    () => chmodSync(file, 0o600),
    () => writeFileSync(later, "one"),
    () => rmSync(file),
  ]
  for (const [index, change] of changes.entries()) {
    change()
    while (calls() === index) await looks(1)
    await looks(3)
    t.equal(calls(), index + 1)
  }
})

t.test("watchFiles follows the files that it is given, and stops", async (t) => {
  const folder = t.testdir({})
  const [one, two] = [join(folder, "one"), join(folder, "two")]
  for (const file of [one, two]) writeFileSync(file, "")
  const files = [one]
  const { calls, looks, stop } = watch(t, files)
  writeFileSync(two, "changed before it is watched")
  await looks(3)
  files[0] = two
  await looks(3)
  t.equal(calls(), 1, "since it was read")
  writeFileSync(one, "changed after it was watched")
  await looks(3)
  t.equal(calls(), 1)
  stop()
  writeFileSync(two, "changed after the end")
  await setTimeout(30)
  t.equal(calls(), 1)
})

/** Watches files that were read now; `before` runs before the first look. */
function watch(t: Test, paths: string[], before = () => {}) {
  let [calls, looks] = [0, 0]
  const read = new Map<string, string>()
  const note = () => paths.forEach((path) => read.has(path) || read.set(path, stateOf(path)))
  note()
  before()
  const files = () => {
    looks++
    return new Map(paths.map((path) => [path, read.get(path) ?? ""]))
  }
  const stop = watchFiles(files, () => calls++, 1)
  t.teardown(stop)
  return {
    calls: () => calls,
    stop,
    /** Waits for so many whole looks. */
    looks: async (number: number) => {
      const last = looks + number
      while (looks <= last) await setTimeout(1)
    },
  }
}
