import { performance } from "node:perf_hooks"
import t, { type Test } from "tap"
import { CommittedFloors } from "../../../../plugins/capabilities/servers/floors.ts"

/** Opens floors for servers that may be 3 seconds behind, with a clock that the test moves. */
function openFloors(t: Test) {
  let milliseconds = 0
  t.intercept(performance, "now", { value: () => milliseconds })
  const floors = new CommittedFloors(3)
  const wait = (seconds: number) => milliseconds += seconds * 1000
  return { floors, wait }
}

t.test("the floor is the latest watermark that was committed longer ago than a server may be behind", async (t) => {
  const { floors, wait } = openFloors(t)
  t.equal(floors.floor, undefined)
  floors.add(100)
  wait(4)
  floors.add(104)
  floors.add(104)
  t.equal(floors.floor, undefined, "a server may have been asked just before it was too old")
  wait(1)
  t.equal(floors.floor, 100)
  wait(3.9)
  t.equal(floors.floor, 100)
  wait(0.1)
  t.equal(floors.floor, 104)
  wait(60)
  t.equal(floors.floor, 104, "it stands still while nothing is committed")
})

t.test("a watermark that is earlier, as the clock was set back, takes the place of all before", async (t) => {
  const { floors, wait } = openFloors(t)
  floors.add(100)
  wait(1)
  floors.add(50)
  wait(4.5)
  t.equal(floors.floor, undefined, "what is older than that is forgotten at once")
  wait(0.5)
  t.equal(floors.floor, 50)
  floors.add(49)
  t.equal(floors.floor, undefined, "although there was a floor")
})

t.test("beginAgain forgets all once there was a floor, and keeps what leads to the first one", async (t) => {
  const { floors, wait } = openFloors(t)
  floors.add(100)
  wait(4)
  floors.beginAgain()
  wait(1)
  t.equal(floors.floor, 100)
  floors.beginAgain()
  t.equal(floors.floor, undefined)
  floors.add(101)
  floors.beginAgain()
  wait(5)
  t.equal(floors.floor, 101)
})
