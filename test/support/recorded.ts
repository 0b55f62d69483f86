import type { BatchNumbers, DropCount } from "../../core/data/batch.ts"
import { Recorders, type RecorderTimes } from "../../core/kernel/recorders.ts"
import type { Log } from "../../core/log.ts"

interface RecordedOptions extends RecorderTimes {
  readonly log: Log
  /** Counts what is dropped. */
  readonly drops?: DropCount
  /** True if what has to be recorded is refused while it cannot be. */
  readonly required?: boolean
}

/** What is known of something that records in the background. */
interface Recorded {
  readonly numbers: BatchNumbers
  readonly state: "ok" | "delayed"
  assertRecording(): void
  close(): Promise<void>
}

/** Makes something that records in the background by itself, and closes by itself. */
export function recorded<T extends object>(
  { log, drops = { dropped: 0 }, required = false, ...times }: RecordedOptions,
  make: (recorders: Pick<Recorders, "batch">) => T,
): T & Recorded {
  const names = ["activity", "addresses", "disclosures", "erasures", "partners", "refusals"]
  const counts = new Map(names.map((name) => [name, drops]))
  const recorders = new Recorders(log, counts, times)
  const trail = make(recorders)
  const { numbers } = recorders
  const [name = ""] = Object.keys(numbers)
  if (required) recorders.batch(async () => {}, { name: "audit", vital: "required" })
  return Object.defineProperties(trail, {
    numbers: { get: () => recorders.numbers[name] },
    state: { get: () => recorders.state },
    assertRecording: { value: () => recorders.assertRecording?.() },
    close: { value: () => recorders.close() },
  }) as T & Recorded
}
