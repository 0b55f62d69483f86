import { setTimeout } from "node:timers/promises"
import { type Config, type RunningService, settingsOf } from "../../../core/capability.ts"
import type {
  Demonstration,
  DemonstrationService,
  DemonstrationSettings,
  Participant,
  Platform,
} from "./demonstration.ts"

/** Returns true if a configuration wants a live demonstration. */
export function isLive(config: Pick<Config, "capabilities">): boolean {
  return settingsOf<DemonstrationSettings>(config, "demonstration")?.live === true
}

/** Where to play a demonstration, with its pauses in seconds. */
interface Play {
  readonly service: Pick<RunningService, "instance" | "log">
  readonly platform: Platform
  /** Where the service listens. */
  readonly url: string
  readonly count?: DemonstrationService["count"]
  /** The pause after a step that failed. */
  readonly afterFailure?: number
  /** The pause between two checks while it is not live. */
  readonly whileOff?: number
  /** The shortest pause between two steps. */
  readonly least?: number
}

/**
 * Runs the participants' steps while the configuration in force says that the demonstration is live. Never throws; logs
 * failures at level debug.
 *
 * Returns a function that stops the demonstration and its running requests. Closing the database waits for running
 * steps.
 */
export function playDemonstration(demonstration: Demonstration, play: Play): () => void {
  const stop = new AbortController()
  for (const participant of demonstration.participants()) {
    // Rejects when it is stopped.
    takeSteps(participant, { ...play, signal: stop.signal }).catch(() => {})
  }
  return () => stop.abort()
}

interface Steps extends Play {
  readonly signal: AbortSignal
}

async function takeSteps(participant: Participant, steps: Steps): Promise<never> {
  const { service, signal, whileOff = 5, least = 1 } = steps
  while (true) {
    const seconds = isLive(service.instance.config) ? await takeStep(participant, steps) : whileOff
    const pause = Math.min(Math.max(seconds || 0, least), longestPause)
    await setTimeout(pause * 1000, undefined, { signal, ref: false })
  }
}

/** Takes one step. Returns the seconds until the next. */
async function takeStep(
  participant: Participant,
  { service, platform, url, signal, count = () => {}, afterFailure = 10 }: Steps,
): Promise<number> {
  const { instance: { database }, log } = service
  const request = (path: string, init: RequestInit = {}) =>
    fetch(url + path, {
      ...init,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(slowest)]),
    })
  try {
    const { writer: db } = database
    return await database.inBackground(() =>
      participant.step({ db, platform, signal, request, count })
    )
  } catch (error) {
    if (!signal.aborted) {
      log.debug({ participant: participant.name, error }, "a step of the demonstration failed")
    }
    return afterFailure
  }
}

/** Milliseconds that a request may take. */
const slowest = 30_000

/** The longest time between two steps, in seconds. */
const longestPause = 3600
