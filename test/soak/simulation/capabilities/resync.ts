import { runCommand, saysOf } from "../command.ts"
import { ask, isPassing } from "../readers/asking.ts"
import { pageOf } from "../../../support/partner/feed-reader.ts"
import { firstEvent } from "../readers/first-events.ts"
import { type Simulation, Violation } from "../simulation.ts"
import { accounts, type World } from "../world.ts"

const account = "partner-b"

/** Operators who let all partners read everything again, without need. Copies have to survive it, and begin again once. */
export default function simulate(world: World): Simulation {
  const client = world.client(account, { name: `${account} while operators resync` })

  /** Reads the feed to its end, once a second. Returns how often it had to begin again. */
  async function follow(polls: number): Promise<number> {
    const path = `${accounts[account].family}/events/${
      firstEvent(world, account, 0)
    }/changes?after=`
    let cursor = "now"
    let begins = 0
    for (let poll = 0; poll < polls; poll++) {
      const got = await ask(client, path + cursor, { expected: ["410 resync_required"] })
      if (got.status === 410) begins++
      const page = got.status === 410 ? undefined : pageOf(got)
      cursor = page?.next ?? "now"
      await world.time.sleep(1000)
    }
    return begins
  }

  async function resyncWhileFollowed(): Promise<string> {
    const before = world.resyncs
    const { time } = world
    const distance = time.wall - time.steady
    const following = follow(12).catch((error) => {
      if (!isPassing(error)) throw error
      return 0
    })
    await world.time.sleep(3000)
    const said = saysOf(await runCommand(world, ["resync"]))
    world.resyncs++
    const begins = await following
    // Another one may have come meanwhile; or the clock was set back, to when cursors were still of before.
    const isUndisturbed = world.resyncs === before + 1 && time.wall - time.steady >= distance - 1
    if (isUndisturbed && begins > 1) {
      throw new Violation(`${client.name} had to begin again ${begins} times for one resync`)
    }
    return `${said}, and a feed begins again ${begins} times`
  }

  return {
    steps: [{
      name: "an operator asks for a resync",
      weight: 0.4,
      run: resyncWhileFollowed,
    }],
  }
}
