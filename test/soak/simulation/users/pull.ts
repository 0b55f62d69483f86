import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { password } from "../../../support/builder.ts"
import { differences, tornFiles } from "../../../support/pull/copies.ts"
import type { Random } from "../../../support/random.ts"
import type { Answer } from "../access.ts"
import { copiedEvents, type Outcome, Program } from "../pull/program.ts"
import type { Version } from "../configuration.ts"
import { type Simulation, Violation } from "../simulation.ts"
import { type AccountName, accounts, type World } from "../world.ts"

interface Partner {
  readonly account: AccountName
  readonly format: "sqlite" | "ndjson" | "csv"
  /** How it says who it is. */
  readonly credential: "password" | "cookies"
  /** Seconds between its polls, if it goes on by itself. */
  readonly every?: number
}

/** Partners who run the client that the service offers, each as the guide says. */
const partners: readonly Partner[] = [
  { account: "acme-export", format: "sqlite", credential: "password" },
  { account: "partner-b", format: "ndjson", credential: "password" },
  { account: "partner-a", format: "csv", credential: "cookies" },
  { account: "borealis-export", format: "sqlite", credential: "password", every: 20 },
]

/** Milliseconds in which a copy that keeps itself up to date has all that was changed. */
const longestDelay = 180_000

/** Partners who run `pull`, from time to time or all the time, over bad connections, and kill it at any moment. */
export default function simulate(world: World): Simulation {
  const copies = partners.map((partner) => new Copy(world, partner))
  let turn = 0
  return {
    steps: copies.map((copy) => ({
      name: `${copy.name} pulls`,
      weight: 2,
      run: (random) => copy.act(random),
    })),
    invariants: [{
      name: "copies of pull equal the tables",
      // One after the other, because each reads its whole copy.
      async atRest() {
        await (copies[turn++ % copies.length] as Copy).check()
      },
      async atEnd() {
        for (const copy of copies) await copy.check()
      },
    }],
    async settle() {
      for (const copy of copies) await copy.finish()
    },
  }
}

/** A partner with its copy. */
class Copy {
  readonly name: string
  readonly #world: World
  readonly #partner: Partner
  readonly #folder: string
  #running: { readonly program: Program; readonly outcome: Promise<Outcome> } | undefined
  #isLoggingIn = false
  /** The hashes of the configurations that the requests of the last run met. */
  readonly #configs = new Set<string>()
  /** True once it need not know of a fault any more. */
  #isAtEnd = false

  constructor(world: World, partner: Partner) {
    this.#world = world
    this.#partner = partner
    this.name = `pull of ${partner.account}`
    this.#folder = join(world.folder, `pull-${partner.account}`)
    world.onRequest(({ client, config }) =>
      void (client === this.name && this.#configs.add(config))
    )
  }

  get #place(): string {
    return join(this.#folder, this.#partner.format === "sqlite" ? "copy.db" : "copy")
  }

  /** Runs it once, or starts or ends one that runs all the time. Returns what the story says. */
  async act(random: Random): Promise<string> {
    const { every } = this.#partner
    if (this.#isLoggingIn) return "is busy"
    if (!every) return this.#running ? "is busy" : await this.#runOnce(random)
    if (!this.#running) {
      void this.#start({ args: ["--every", String(every)], random })
      return "begins"
    }
    const choice = random.below(4)
    if (choice === 0) return `a second one ${await this.#runSecond()}`
    const { program, outcome } = this.#running
    if (choice === 1) program.kill()
    else program.stop()
    const { code, errors } = await outcome
    return code === null ? "is killed" : `ends with ${code} ${errors}`
  }

  /** Compares the copy with the tables, once the program says that it is up to date. @throws {Violation} */
  async check(): Promise<void> {
    if (!this.#isAtEnd && !this.#isCalm()) return
    if (this.#running) return await this.#awaitCopy()
    let { code, errors } = await this.#start({ args: [] })
    // What it lost before is told once.
    if (code === 4) ({ code, errors } = await this.#start({ args: [] }))
    if (!this.#wasServed()) return
    if (code === 0) return this.#assertRight(await this.#differences())
    if (this.#isAtEnd) throw new Violation(`${this.name} ends with ${code}: ${errors}`)
  }

  /** Ends what runs, and runs it a last time. @throws {Violation} */
  async finish(): Promise<void> {
    this.#isAtEnd = true
    const { program, outcome } = this.#running ?? {}
    program?.stop()
    const { code = 0, errors = "" } = await outcome ?? {}
    if (code !== 0) {
      throw new Violation(`${this.name} ends with ${code} when it is stopped: ${errors}`)
    }
  }

  async #runOnce(random: Random): Promise<string> {
    const isChecking = random.below(5) === 0
    const args = isChecking ? [random.pick(["--check", "--content"])] : []
    const { code, errors } = await this.#start({ args, random })
    return code === null ? "is killed" : code === 0 ? "" : `ends with ${code}: ${errors}`
  }

  /** Runs another one on the same copy, which must refuse to. */
  async #runSecond(): Promise<string> {
    const { code, errors } = await this.#program([]).run()
    if (code !== 3 && this.#running) {
      throw new Violation(`${this.name} runs twice: ${code} ${errors}`)
    }
    return `ends with ${code}`
  }

  async #start(options: { readonly args: readonly string[]; readonly random?: Random }) {
    await this.#logIn()
    const program = this.#program(options.args, options.random?.fork())
    const began = this.#world.time.steady
    this.#configs.clear()
    const outcome = program.run()
    this.#running = { program, outcome }
    const ended = await outcome.finally(() => this.#running = undefined)
    this.#assertSound(ended, began)
    return ended
  }

  #program(args: readonly string[], random?: Random): Program {
    const { account, format, credential } = this.#partner
    const { family } = accounts[account]
    const isBad = random !== undefined && random.below(3) === 0
    return new Program(this.#world, {
      name: this.name,
      account,
      folder: this.#folder,
      args: [
        ...["--to", `${format}:${this.#place}`, "--base", "http://export.test", "--insecure"],
        ...["--family", family, "--limit", "20", ...args],
        ...credential === "cookies" ? ["--cookies", this.#cookies] : [],
      ],
      environment: credential === "password"
        ? { EXPORT_USER: account, EXPORT_PASSWORD: password }
        : {},
      killedAfter: random?.below(3) === 0 ? random.between(1, 400) : undefined,
      connection: isBad ? () => badConnection(random) : undefined,
    })
  }

  get #cookies(): string {
    return join(this.#world.folder, `cookies-${this.#partner.account}`)
  }

  /** Writes a file of cookies as curl does, if it uses one. */
  async #logIn(): Promise<void> {
    const { account, credential } = this.#partner
    if (credential !== "cookies") return
    const client = this.#world.client(account, { name: this.name })
    this.#isLoggingIn = true
    const isIn = await client.logIn().catch(() => false).finally(() => this.#isLoggingIn = false)
    if (!isIn) return
    const [name, value] = client.credential?.["cookie"]?.split("=") ?? []
    const line = ["#HttpOnly_export.test", "FALSE", "/", "FALSE", "0", name, value].join("\t")
    writeFileSync(this.#cookies, `# Netscape HTTP Cookie File\n${line}\n`, { mode: 0o600 })
  }

  /** Waits until a copy that keeps itself up to date has everything. @throws {Violation} if that takes too long. */
  async #awaitCopy(): Promise<void> {
    const { time } = this.#world
    const until = time.steady + longestDelay
    while (this.#running && this.#isServed()) {
      const found = await this.#differences()
      if (found.length === 0) return
      if (time.steady > until) return this.#assertRight(found)
      await time.sleep(5000)
    }
  }

  /** @throws {Violation} if a run that began at a moment ended as none may, whatever fails. */
  #assertSound({ code, output, errors }: Outcome, began: number): void {
    this.#assertRight(tornFiles({ format: this.#partner.format, place: this.#place }))
    if (code === null || code === 0 || code === 1) return
    const isAboutSession = /is not valid|has no cookie|ENOENT/.test(errors)
    const { account, credential } = this.#partner
    if (code === 2 && isAboutSession && credential === "cookies") return
    // Whoever is refused has lost one of these at least.
    const lost = code === 4
      ? errors.match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g) ?? []
      : code === 2 && (isAboutSession || / 40[134] /.test(errors))
      ? this.#world.eventsOf(account)
      : []
    const { access, time } = this.#world
    const isWithoutExports = this.#versions.some(({ capabilities }) =>
      !capabilities.includes("export")
    )
    if (!this.#wasServed() || (isWithoutExports && / of=content /.test(errors))) return
    const isLost = (event: string) => access.mayRead(account, event, began, time.steady) !== "yes"
    if (!lost.some(isLost)) {
      throw new Violation(`${this.name} ends with ${code}: ${errors}${output}`)
    }
  }

  /** True if all requests of the last run met a configuration that has all that it is used to. */
  #wasServed(): boolean {
    return this.#versions.every((version) => this.#isServedBy(version))
  }

  /** What was in force when the requests of the last run came. */
  get #versions(): readonly Version[] {
    return [...this.#configs].flatMap((hash) => this.#world.configuration.version(hash) ?? [])
  }

  /** True if it can log in, and all that it is used to is in force. */
  #isServed(): boolean {
    const { access, inForce, time } = this.#world
    return access.wasDisabled(this.#partner.account, time.steady, time.steady) === "no" &&
      inForce.every((version) => this.#isServedBy(version))
  }

  #isServedBy({ capabilities, families }: Version): boolean {
    const { family, grants } = accounts[this.#partner.account]
    return capabilities.includes("feed") &&
      grants.every((slug) => families.get(family)?.organizations.includes(slug))
  }

  async #differences(): Promise<string[]> {
    const { account, format } = this.#partner
    const readable = await this.#readableEvents()
    const copy = { format, place: this.#place }
    const listed = copiedEvents(this.#folder, format)
    const events = [...readable].flatMap(([id, answer]) => answer === "yes" ? [id] : [])
    const found = [
      ...events.filter((id) => !listed.includes(id)).map((id) => `event ${id} is missing`),
      ...listed.filter((id) => !readable.has(id)).map((id) => `event ${id} should be gone`),
    ]
    for (const event of events) {
      const truth = await this.#world.tables.recordsOf(event)
      const own = account === "partner-a" ? { guests: truth.guests } as typeof truth : truth
      found.push(...differences(copy, event, own, accounts[account].family))
    }
    return found
  }

  /** Returns the events that its family has for it now, by their ids, and those of which that changes in this moment. */
  async #readableEvents(): Promise<ReadonlyMap<string, Answer>> {
    const { access, database, inForce: [version], time } = this.#world
    const { account } = this.#partner
    const family = version?.families.get(accounts[account].family)
    const events = await database.writer.selectFrom("event").select("id").execute()
    const answers = events.map(({ id }): [string, Answer] => {
      const isServed = family?.organizations.includes(access.organizationOf(id) ?? "")
      return [id, isServed ? access.mayRead(account, id, time.steady, time.steady) : "no"]
    })
    return new Map(answers.filter(([, answer]) => answer !== "no"))
  }

  #assertRight(found: readonly string[]): void {
    if (found.length === 0) return
    throw new Violation(
      `${this.name}: ${found.length} differences: ${found.slice(0, 5).join("; ")}`,
    )
  }

  /** True if nothing fails that one can know of. */
  #isCalm(): boolean {
    const { faults, running } = this.#world
    return running.length > 0 && !faults.isFull && faults.slowOneIn === 0 &&
      faults.deaths.size === 0
  }
}

function badConnection(random: Random) {
  const choice = random.below(8)
  return choice === 0
    ? { leavesAfter: random.below(3000) }
    : choice === 1
    ? { stalls: random.below(9000) }
    : {}
}
