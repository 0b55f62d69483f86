import type { Client } from "../client.ts"
import { runCommand, saysOf } from "../command.ts"
import { isDisconnected } from "../service.ts"
import { makeTurns } from "../operators/turns.ts"
import { type Simulation, Violation } from "../simulation.ts"
import { type AccountName, accounts, type World } from "../world.ts"
import type { Random } from "../../../support/random.ts"

/** Networks that grants are given from: that of the clients, and others. */
const networks = ["127.0.0.0/8", "127.0.0.1/32", "10.0.0.0/8", "2001:db8::/32"]

const readers = Object.entries(accounts).flatMap(([name, { grants }]) =>
  grants.length > 0 ? [name as AccountName] : []
)

/** Operators at the command line: grants, accounts, sessions. What they take away, they give back soon. */
export default function simulate(world: World): Simulation {
  const inTurn = makeTurns()
  const programs = new Map<AccountName, Client>()

  /** Runs a command. What it does is checked by `isDone` if it says that it has done it. */
  async function run(args: readonly string[], isDone: () => boolean): Promise<string> {
    const outcome = await runCommand(world, args)
    const text = args.join(" ")
    if (outcome.code === 0 && !isDone()) throw new Violation(`"${text}" did not do what it says`)
    return `${text}: ${saysOf(outcome)}`
  }

  const grantOf = (name: string, organization: string) => {
    const id = world.organizations.get(organization)
    return world.access.grantsOf(name).find((grant) => grant.organization_id === id)
  }

  const isWhole = (name: AccountName) =>
    accounts[name].grants.every((slug) => {
      const grant = grantOf(name, slug)
      return grant?.ends === null && grant.networks === null
    })

  /** Does something to an account while a program of it polls right before and after: rights hold from the next request on. */
  async function whilePolled(name: AccountName, work: () => Promise<string>): Promise<string> {
    const program = programs.get(name) ?? world.client(name, { name: `${name} and operators` })
    programs.set(name, program)
    const paths = accounts[name].grants.flatMap((slug) =>
      (world.events.get(slug) ?? []).map((id) => `${accounts[name].family}/events/${id}/guests`)
    )
    const poll = async (path: string) => {
      const response = await program.send(path)
      await response.arrayBuffer()
      return response.status
    }
    try {
      if (!program.credential || await poll(paths[0] ?? "/session") === 401) await program.logIn()
    } catch (error) {
      if (!isDisconnected(error)) throw error
    }
    const said = await work()
    if (!program.credential) return said
    const statuses: number[] = []
    for (const path of paths.slice(0, 2)) statuses.push(await poll(path))
    return `${said}, then ${statuses.join(", ")}`
  }

  async function restoreGrants(name: AccountName): Promise<string> {
    const done: string[] = []
    for (const slug of accounts[name].grants) {
      const command = ["access", "grant", name, "--organization", slug]
      done.push(await run(command, () => grantOf(name, slug)?.ends === null))
    }
    return done.join("; ")
  }

  async function changeGrants(random: Random): Promise<string> {
    const name = random.pick(readers)
    if (!isWhole(name) && random.below(10) < 7) return await restoreGrants(name)
    return await whilePolled(name, () => changeGrant(name, random))
  }

  async function changeGrant(name: AccountName, random: Random): Promise<string> {
    const organization = random.pick(accounts[name].grants)
    const event = random.pick([...world.events.values()].flat())
    const ofEvent = (each: { readonly event_id: string | null }) => each.event_id === event
    const grant = ["access", "grant", name]
    const within = random.pick([30, 300, 5_000, 20_000])
    const until = new Date(world.time.wall + random.between(1, within) * 1000)
    const network = random.pick(networks)
    switch (random.below(6)) {
      case 0:
        return await run(
          ["access", "withdraw", name, "--organization", organization],
          () => grantOf(name, organization) === undefined,
        )
      case 1:
      case 2:
        return await run(
          [...grant, "--organization", organization, "--until", momentOf(until)],
          () => grantOf(name, organization)?.ends === Math.floor(until.getTime() / 1000),
        )
      case 3:
        return await run(
          [...grant, "--organization", organization, "--from", network],
          () => grantOf(name, organization)?.networks === network,
        )
      case 4:
        return await run(
          [...grant, "--event", event],
          () => world.access.grantsOf(name).some(ofEvent),
        )
      default:
        return await run(
          ["access", "withdraw", name, "--event", event],
          () => !world.access.grantsOf(name).some(ofEvent),
        )
    }
  }

  async function disable(random: Random): Promise<string> {
    const isDisabled = (name: string) => world.access.account(name)?.disabled === 1
    const disabled = readers.find(isDisabled)
    const name = disabled ?? random.pick(readers)
    const keep = random.below(2) ? ["--keep-sessions"] : []
    const undo = disabled === undefined ? [] : ["--undo"]
    const command = ["account", "disable", name, ...undo, ...keep]
    return await whilePolled(
      name,
      () => run(command, () => isDisabled(name) === (disabled === undefined)),
    )
  }

  async function endSessions(random: Random): Promise<string> {
    const name = random.pick(readers)
    if (random.below(2)) {
      const before = world.access.account(name)?.epoch ?? 0
      const isDone = () => (world.access.account(name)?.epoch ?? 0) > before
      return await whilePolled(name, () => run(["account", "revoke", name], isDone))
    }
    const listed = await runCommand(world, ["account", "sessions", name, "--live", "--json"])
    const ids = [...listed.out.matchAll(/"id":"([0-9a-f-]{36})"/g)].map(([, id = ""]) => id)
    if (listed.code !== 0 || ids.length === 0) return `sessions of ${name}: ${saysOf(listed)}`
    const id = random.pick(ids)
    return await run(["account", "end-session", id], () => true)
  }

  async function openSession(random: Random): Promise<string> {
    const name = random.pick(readers)
    const lifetime = random.pick(["60s", "10m", "3h", "30d"])
    const replace = random.pick([[], [], ["--replace"], ["--replace", "--overlap", "10m"]])
    const args = ["account", "session", name, "--token", "--lifetime", lifetime, ...replace]
    const outcome = await runCommand(world, args)
    if (outcome.code !== 0) return `${args.join(" ")}: ${saysOf(outcome)}`
    const program = world.client(name, { name: `${name} with a token of operators` })
    program.credential = { authorization: `Bearer ${outcome.out}` }
    const [first, second] = [
      await program.send(`${accounts[name].family}/events`),
      await program.send("/session"),
    ]
    await Promise.all([first.arrayBuffer(), second.arrayBuffer()])
    return `${args.join(" ")}: then ${first.status}, ${second.status}`
  }

  return {
    steps: [
      step("an operator changes grants", 1, (random) => inTurn(() => changeGrants(random))),
      step(
        "an operator disables or enables an account",
        0.4,
        (random) => inTurn(() => disable(random)),
      ),
      step("an operator ends sessions", 0.4, (random) => inTurn(() => endSessions(random))),
      step("an operator opens a session", 0.4, (random) => inTurn(() => openSession(random))),
    ],
    async settle() {
      for (const name of readers) {
        if (world.access.account(name)?.disabled) {
          await must(["account", "disable", name, "--undo"])
        }
        for (const slug of accounts[name].grants) {
          await must(["access", "grant", name, "--organization", slug])
        }
      }
    },
  }

  async function must(args: readonly string[]): Promise<void> {
    const outcome = await runCommand(world, args)
    if (outcome.code !== 0) throw new Violation(`"${args.join(" ")}" fails: ${saysOf(outcome)}`)
  }
}

function step(name: string, weight: number, run: (random: Random) => Promise<string>) {
  return { name, weight, run }
}

function momentOf(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`
}
