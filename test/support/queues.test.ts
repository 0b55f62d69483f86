import t from "tap"
import { queuesOf } from "./queues.ts"

t.test("queuesOf lets one job run the crowded files, one after the other, and all jobs the others", (t) => {
  const files = ["crowd 1", "one", "crowd 2", "two", "three", "four"]
  const isCrowded = (file: string) => file.startsWith("crowd")
  const queues = queuesOf(files, { jobs: 3, isCrowded }).map((queue) => queue[Symbol.iterator]())
  const round = () => queues.map((queue) => queue.next().value)
  t.strictSame(round(), ["crowd 1", "one", "two"])
  t.strictSame(round(), ["crowd 2", "three", "four"])
  t.strictSame(round(), [undefined, undefined, undefined])

  const [only] = queuesOf(files, { jobs: 1, isCrowded })
  t.strictSame([...only!], ["crowd 1", "crowd 2", "one", "two", "three", "four"])
  t.end()
})
