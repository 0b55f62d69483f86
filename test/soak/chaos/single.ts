import type { Teardown } from "../../support/database.ts"
import type { Program } from "../../support/mysql/programs.ts"
import type { Random } from "../../support/random.ts"
import { Relay } from "../../support/relay.ts"
import { createData, servingUser } from "./data.ts"
import { Observations } from "./observations.ts"
import { PrivateMysql } from "./private-mysql.ts"
import { checkRelease } from "./release-check.ts"
import { Source } from "./source.ts"
import { openScene, type Stage, startServices } from "./stage.ts"

/** Two services on one server. */
export interface SingleStage extends Stage {
  readonly server: PrivateMysql
  /** The services reach the server through it; the writers do not. */
  readonly relay: Relay
  /** The organizer's own database, on the same server. */
  readonly source: Source
}

/** Starts a server whose data may have so many megabytes, creates a database, and starts two services. */
export async function openSingle(
  t: Teardown,
  { program, megabytes, random, signal }: {
    readonly program: Program
    readonly megabytes: number
    readonly random: Random
    readonly signal: AbortSignal
  },
): Promise<SingleStage> {
  const server = await PrivateMysql.start(program, { megabytes, signal })
  t.teardown(() => server.remove())
  const data = await createData(server)
  const observations = new Observations()
  const { name, password } = servingUser
  const relay = await Relay.open(
    `mysql://${name}:${encodeURIComponent(password)}@127.0.0.1:${server.port}/chaos`,
  )
  t.teardown(() => relay.goAway())
  const urls = { "service-1": relay.url, "service-2": relay.url }
  const source = await Source.create(t, { server, random: random.fork(), observations })
  const settings = { mapping: source.mapping }
  const services = await startServices(t, { observations, urls, settings })
  const scene = await openScene({ server, data, observations, services, random })
  await source.open(scene)
  return {
    ...scene,
    ...{ server, relay, source },
    settle: () => source.settle(),
    checkRest: () => source.check(),
    checkAtEnd() {
      observations.checkBounds()
      return checkRelease({ server, services, observations })
    },
  }
}
