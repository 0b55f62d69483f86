import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, globSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { delimiter, join } from "node:path"
import process from "node:process"
import type { Readable } from "node:stream"
import { promisify } from "node:util"
import type { Teardown } from "../../../support/database.ts"
import { librariesIn, unpackedFolder } from "../../../support/debian/unpack.ts"
import { spawnBound } from "../../../support/spawn-bound.ts"

const run = promisify(execFile)

/** A program with its first arguments. */
type Command = readonly [string, ...string[]]

/** What is separate for each server, and for the process that starts them. */
const kinds = ["--net", "--mount"] as const

/** Is set where this machine's own network cannot be reached. */
const mark = "INSIDE_LAN"

/**
 * Runs this program again where it may make networks and mount disks, and ends with its exit code. Returns there, and
 * at once where that is not possible: with a short reason. All that is made there ends with the program.
 */
export async function enterLan(signal: AbortSignal): Promise<string | undefined> {
  if (process.env[mark]) return undefined
  const command = ["unshare", "--user", "--map-root-user", ...kinds] as const
  try {
    if (process.platform !== "linux") return "only Linux has network namespaces"
    await ipCommand(signal)
    await run(command[0], [...command.slice(1), "true"])
  } catch (error) {
    return (error as Error).message.trim().split("\n").at(-1)
  }
  const args = [
    ...command.slice(1),
    process.execPath,
    ...process.execArgv,
    ...process.argv.slice(1),
  ]
  const child = spawn(command[0], args, { stdio: "inherit", env: { ...process.env, [mark]: "1" } })
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => child.kill(name))
  const [code] = await once(child, "exit")
  process.exit(code ?? 1)
}

/** A network of places, one for each server, with a switch that can leave each of them out. */
export class Lan {
  readonly #t: Teardown
  readonly #ip: Command
  #places = 0

  /** Makes the network. Returns undefined outside of `enterLan`. */
  static async open(t: Teardown, signal: AbortSignal): Promise<Lan | undefined> {
    if (!process.env[mark]) return undefined
    const lan = new Lan(t, await ipCommand(signal))
    await lan.#link("set", "lo", "up")
    await lan.#link("add", "switch", "type", "bridge")
    await lan.#link("set", "switch", "up")
    return lan
  }

  private constructor(t: Teardown, ip: Command) {
    this.#t = t
    this.#ip = ip
  }

  /** Makes a place for one server: connected to the switch, and separately to this process. */
  async place(): Promise<Place> {
    const number = ++this.#places
    const entering = await this.#namespace()
    const port = `port${number}`
    const [ours, own] = [`10.78.${number}.1`, `10.78.${number}.2`]
    const host = `10.77.0.${number}`
    const ip = (...args: readonly string[]) => start([...entering, ...this.#ip, ...args])
    const target = entering[2]
    await this.#link("add", port, "type", "veth", "peer", "eth0", "netns", target)
    await this.#link("set", port, "up", "master", "switch")
    const way = `way${number}`
    await this.#link("add", way, "type", "veth", "peer", "eth1", "netns", target)
    await start([...this.#ip, "address", "add", `${ours}/24`, "dev", way])
    await this.#link("set", way, "up")
    for (const name of ["lo", "eth0", "eth1"]) await ip("link", "set", name, "up")
    await ip("address", "add", `${host}/24`, "dev", "eth0")
    await ip("address", "add", `${own}/24`, "dev", "eth1")
    return new Place({
      host,
      address: own,
      entering,
      plug: (isIn) => this.#link("set", port, ...isIn ? ["master", "switch"] : ["nomaster"]),
    })
  }

  async #link(...args: readonly string[]): Promise<void> {
    await start([...this.#ip, "link", ...args])
  }

  /** Makes a namespace, and returns the command that runs a program there. */
  async #namespace() {
    // It ends with its input, which ends with this process.
    const keeper = await spawnBound(["unshare", ...kinds, "cat"], ["pipe", "pipe", "inherit"])
    this.#t.teardown(() => keeper.kill("SIGKILL"))
    keeper.stdin?.write("\n")
    await once(keeper.stdout as Readable, "data")
    return ["nsenter", "--target", `${keeper.pid}`, ...kinds, "--"] as const
  }
}

/** What a place has. */
interface PlaceParts {
  /** Where other places reach it, by the switch. */
  readonly host: string
  /** Where this process reaches it, whatever the switch does. */
  readonly address: string
  /** Runs a program here if it stands before its command. */
  readonly entering: Command
  readonly plug: (isIn: boolean) => Promise<void>
}

/** Where one server runs. */
export class Place implements PlaceParts {
  readonly host: string
  readonly address: string
  readonly entering: Command
  readonly plug: (isIn: boolean) => Promise<void>
  #disk = ""

  constructor({ host, address, entering, plug }: PlaceParts) {
    this.host = host
    this.address = address
    this.entering = entering
    this.plug = plug
  }

  /** Mounts an empty disk at a new folder, whose removal ends it. Only what runs here sees what is on it. */
  async mount(folder: string): Promise<void> {
    await mkdir(folder)
    await this.#run("mount", "-t", "tmpfs", "-o", "size=256m", "tmpfs", folder)
    this.#disk = folder
  }

  /** Fills the disk to the last byte. */
  async fill(): Promise<void> {
    await this.#run("sh", "-c", `cat /dev/zero >"$0/filler" 2>/dev/null || true`, this.#disk)
  }

  /** Makes space again. */
  async clear(): Promise<void> {
    await this.#run("rm", "-f", join(this.#disk, "filler"))
  }

  async #run(...command: readonly string[]): Promise<void> {
    await start([...this.entering, ...command])
  }
}

async function start([file = "", ...args]: readonly string[]): Promise<void> {
  await run(file, args)
}

/** Finds `ip` on this machine, or else unpacks it. */
async function ipCommand(signal: AbortSignal): Promise<Command> {
  const folders = `${process.env["PATH"]}:/usr/sbin:/sbin`.split(delimiter)
  const installed = folders.map((folder) => join(folder, "ip")).find(existsSync)
  if (installed) return [installed]
  const packages = { name: "iproute2", packages: ["iproute2"], without: ["debconf"] }
  const root = await unpackedFolder(packages, signal)
  const find = (pattern: string) => globSync(pattern, { cwd: root }).map((each) => join(root, each))
  const [loader] = find("{usr/,}lib/*-linux-gnu/ld-linux*.so.*")
  const [program] = find("{usr/,}bin/ip")
  if (loader === undefined || program === undefined) throw new Error(`no ip in ${root}`)
  return [loader, "--library-path", librariesIn(root), program]
}
