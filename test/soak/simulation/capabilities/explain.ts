import { runCommand } from "../command.ts"
import { type Simulation, Violation } from "../simulation.ts"
import { accounts, type World } from "../world.ts"
import type { Random } from "../../../support/random.ts"

/** What `access explain --json` says of a route. */
interface Explained {
  readonly path: string
  readonly status: number
  /** With a session, even if the account is disabled. */
  readonly loggedIn: number
}

/** Routes that a family only announces: nobody can use them yet. */
const announced = /^\/connector-a\/.*\/items/

const names = Object.keys(accounts)
const addresses = ["127.0.0.1", "10.1.2.3", "2001:db8::1", "203.0.113.9"]

/** What `access explain` says is what the tables and the file say. */
export default function simulate(world: World): Simulation {
  async function explain(random: Random): Promise<string> {
    const name = random.pick(names)
    const event = random.pick([...world.events.values()].flat())
    const address = random.pick(addresses)
    const file = world.configuration.hash
    const began = world.time.steady
    const isDisabled = world.access.account(name)?.disabled
    const args = ["access", "explain", name, event, "--json", "--from", address]
    const { code, out, err } = await runCommand(world, args)
    if (code !== 0) return `${name}: ${err.split("\n")[0]}`
    if (file !== world.configuration.hash) return `${name}: the file has changed`
    if (isDisabled !== world.access.account(name)?.disabled) return `${name}: it has changed`
    const may = world.access.mayRead(name, event, began, world.time.steady, address)
    const families = world.configuration.version(file)?.families
    const organization = world.access.organizationOf(event) ?? ""
    for (const line of out.split("\n")) {
      const { path, status, loggedIn } = JSON.parse(line) as Explained
      if (announced.test(path)) continue
      if (isDisabled && status !== 401) {
        throw new Violation(`it explains ${status} of ${path} to ${name}, which is disabled`)
      }
      if (isDisabled) continue
      const family = families?.get(path.split("/events/")[0] ?? "")
      const isFor = family !== undefined && (family.account ?? name) === name &&
        family.organizations.includes(organization)
      const expected = isFor ? may : "no"
      if (expected === "maybe" || (loggedIn === 200) === (expected === "yes")) continue
      throw new Violation(
        `it explains ${loggedIn} of ${path} to ${name}, who may read: ${expected}`,
      )
    }
    return `${name} from ${address}: ${may}`
  }

  return { steps: [{ name: "an operator asks who may read", weight: 0.3, run: explain }] }
}
