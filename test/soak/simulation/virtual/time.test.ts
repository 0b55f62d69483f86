import { test } from "tap"
import { Background } from "./background.ts"
import { owner, VirtualTime } from "./time.ts"

test("VirtualTime passes from one timer to the next, and no faster", async (t) => {
  const time = new VirtualTime(new Background())
  const moments: number[] = []
  const wait = async (milliseconds: number) => {
    await time.sleep(milliseconds)
    moments.push(time.steady)
  }
  await time.play(Promise.all([wait(5000), wait(10), wait(86_400_000)]))
  t.strictSame(moments, [10, 5000, 86_400_000])
})

test("VirtualTime fires timers once, late, after a jump", async (t) => {
  const time = new VirtualTime(new Background())
  const work = async () => {
    const due = time.sleep(1000).then(() => time.steady)
    await time.jump(60_000)
    return await due
  }
  t.equal(await time.play(work()), 60_000)
})

test("VirtualTime sets the wall clock, and the steady one goes on", async (t) => {
  const time = new VirtualTime(new Background())
  const before = time.now
  time.step(-3_600_000)
  t.equal(time.now, before - 3600)
  t.equal(time.steady, 0)
})

test("VirtualTime forgets the timers of a dead owner", async (t) => {
  const time = new VirtualTime(new Background())
  const process = { isDead: false }
  let fired = false
  owner.run(process, () => void time.sleep(10).then(() => void (fired = true)))
  t.equal(time.timers(process), 1)
  process.isDead = true
  time.forget(process)
  await time.play(time.sleep(100))
  t.notOk(fired)
  t.equal(time.timers(process), 0)
})

test("VirtualTime says when nothing is left to wait for", async (t) => {
  const time = new VirtualTime(new Background())
  await t.rejects(time.play(new Promise(() => {})), { message: /nothing is left to wait for/ })
})
