import { runCommand } from "../command.ts"
import { type Simulation, Violation } from "../simulation.ts"
import type { World } from "../world.ts"
import type { Random } from "../../../support/random.ts"

const partners = ["partner-a", "partner-b"] as const

/** Operators who note whom to tell about partners. The partners never see it. */
export default function simulate(world: World): Simulation {
  let sequence = 0

  async function note(random: Random): Promise<string> {
    const name = random.pick(partners)
    const notes = `between operators ${++sequence}`
    const set = await runCommand(world, ["account", "contact", name, "--notes", notes])
    if (set.code !== 0) return `${name}: ${set.err.split("\n")[0]}`
    if (!/between operators \d+/.test(set.out)) {
      throw new Violation(`the notes about ${name} are ${set.out}`)
    }
    const page = await world.client(name, { name: `${name} at a browser` }).get("/docs/me")
    if (page.text.includes("between operators")) {
      throw new Violation(`${name} sees what operators note`)
    }
    return `${name}: ${page.status}`
  }

  async function mute(random: Random): Promise<string> {
    const name = random.pick(partners)
    const until = new Date(world.time.wall + random.between(1, 20_000) * 1000)
    const moment = `${until.toISOString().slice(0, 19)}Z`
    const flags = random.below(3) ? ["--until", moment, "--because", "a holiday"] : ["--undo"]
    const { code, out, err } = await runCommand(world, ["account", "mute", name, ...flags])
    return `${name}: ${(code === 0 ? out : err).split("\n")[0]}`
  }

  /** Seconds that the history counts against partner-e, who polls as it likes. */
  const failing = async (): Promise<number> => {
    const rows = await world.database.writer.selectFrom("partner_month")
      .innerJoin("account", "account.id", "account_id").select("failing")
      .where("username", "=", "partner-e").execute()
    return rows.reduce((sum, row) => sum + row.failing, 0)
  }

  const areMutesKnown = () =>
    world.inForce.every(({ capabilities }) => capabilities.includes("contacts"))

  /** Mutes a partner for a while: its history counts none of it. */
  async function muteAWhile(): Promise<string> {
    const mute = ["account", "mute", "partner-e"]
    const until = new Date(world.time.wall + 7_200_000)
    const moment = `${until.toISOString().slice(0, 19)}Z`
    const { restores } = world
    const set = await runCommand(world, [...mute, "--until", moment, "--because", "its holidays"])
    if (set.code !== 0) return set.err.split("\n")[0] ?? ""
    // A look that is under way may have begun before.
    await world.time.sleep(5_000)
    const before = await failing()
    // One that stops still looks, with what it had.
    const isKnown = world.services.every(({ isUp, isDead }) => isUp || isDead) && areMutesKnown()
    await world.time.sleep(150_000)
    const row = await world.database.writer.selectFrom("partner_contact")
      .innerJoin("account", "account.id", "account_id").select("muted_until")
      .where("username", "=", "partner-e").executeTakeFirst()
    const isMuted = isKnown && areMutesKnown() && world.restores === restores &&
      (row?.muted_until ?? 0) > world.time.now
    const more = await failing() - before
    if (isMuted && more > 0) {
      throw new Violation(`partner-e is muted, and its history counts ${more} s of it as failing`)
    }
    const { code } = await runCommand(world, [...mute, "--undo"])
    return `${isMuted ? "muted" : "not muted"}, ${more} s failing: ${code}`
  }

  return {
    steps: [
      { name: "an operator mutes a partner for some minutes", weight: 0.3, run: muteAWhile },
      { name: "an operator notes something about a partner", weight: 0.15, run: note },
      { name: "an operator mutes a partner", weight: 0.15, run: mute },
    ],
  }
}
