import { Client } from "../client.ts"
import { runCommand } from "../command.ts"
import { type Simulation, Violation } from "../simulation.ts"
import type { AccountName, World } from "../world.ts"
import type { Random } from "../../../support/random.ts"

/** An account that comes, gets other names, and goes. */
interface Visitor {
  name: string
  readonly id: string
  client: Client
  isRemoved: boolean
}

const own = "the password of one who comes and goes"

/** Accounts that are added, renamed and removed. Nobody ever gets a name that another account had. */
export default function simulate(world: World): Simulation {
  const visitors: Visitor[] = []
  /** The names that accounts had, with their ids. */
  const former = new Map<string, string>()
  let sequence = 0
  let isBusy = false

  const clientOf = (name: string) =>
    new Client(world, { account: name as AccountName, password: own })
  const present = () => visitors.filter(({ isRemoved }) => !isRemoved)
  const newName = () => `visitor-${++sequence}`

  async function add(random: Random): Promise<string> {
    const isFormer = former.size > 0 && random.below(3) === 0
    const name = isFormer ? random.pick([...former.keys()]) : newName()
    const command = ["account", "add", name, "--role", "partner"]
    const { code, err } = await runCommand(world, command, `${own}\n`)
    const there = world.access.account(name)
    if (code !== 0) return `${name}: ${err.split("\n")[0]}`
    if (!there) throw new Violation(`${name} was added, and is not there`)
    if (former.has(name) && world.configuration.capabilities.includes("former-names")) {
      throw new Violation(`${name} was added, which another account was called`)
    }
    visitors.push({ name, id: there.id, client: clientOf(name), isRemoved: false })
    await runCommand(world, ["access", "grant", name, "--organization", "acme"])
    return `${name} comes`
  }

  async function rename(random: Random): Promise<string> {
    if (present().length === 0) return "nobody is there"
    const visitor = random.pick(present())
    const to = random.below(3) === 0 && former.size > 0
      ? random.pick([...former.keys()])
      : newName()
    const from = visitor.name
    const { code, err } = await runCommand(world, ["account", "rename", from, to])
    if (code !== 0) return `${from} to ${to}: ${err.split("\n")[0]}`
    if (world.access.account(to)?.id !== visitor.id || world.access.account(from)) {
      throw new Violation(`${from} was renamed to ${to}, and is not called so`)
    }
    if ((former.get(to) ?? visitor.id) !== visitor.id) {
      throw new Violation(`${from} was renamed to ${to}, which another account was called`)
    }
    former.set(from, visitor.id)
    former.delete(to)
    const { credential } = visitor.client
    Object.assign(visitor, { name: to, client: Object.assign(clientOf(to), { credential }) })
    return `${from} is called ${to}`
  }

  async function remove(random: Random): Promise<string> {
    if (present().length === 0) return "nobody is there"
    const visitor = random.pick(present())
    const { name } = visitor
    const force = random.below(2) ? ["--force"] : []
    const { code, err } = await runCommand(world, ["account", "remove", name, ...force])
    if (code !== 0) return `${name}: ${err.split("\n")[0]}`
    if (world.access.account(name)) throw new Violation(`${name} was removed, and is there`)
    visitor.isRemoved = true
    former.set(name, visitor.id)
    return `${name} goes`
  }

  async function poll(random: Random): Promise<string> {
    if (visitors.length === 0) return "nobody has come"
    const { client, name, isRemoved } = random.pick(visitors.slice(-5))
    if (!client.credential) await client.logIn()
    const event = random.pick(world.events.get("acme") ?? [])
    const response = await client.send(`/connector-b/v1/events/${event}/guests`)
    await response.arrayBuffer()
    return `${name}${isRemoved ? ", who has gone" : ""}: ${response.status}`
  }

  const step = (name: string, weight: number, work: (random: Random) => Promise<string>) => ({
    name,
    weight,
    async run(random: Random) {
      if (isBusy) return "somebody changes names"
      isBusy = true
      try {
        return await work(random)
      } finally {
        isBusy = false
      }
    },
  })

  return {
    steps: [
      step("an account comes", 0.2, add),
      step("an account gets another name", 0.2, rename),
      step("an account goes", 0.15, remove),
      step("an account with changing names polls", 0.5, poll),
    ],
  }
}
