import { execFile, spawnSync } from "node:child_process"
import process from "node:process"
import { promisify } from "node:util"

const run = promisify(execFile)

/** A container engine of this machine. */
export interface Engine {
  readonly name: string
  /** Runs a command of the engine, and returns what it prints. Rejects with its errors. */
  run(...args: readonly string[]): Promise<string>
  /** The program for compose files, with its first arguments; undefined if there is none. */
  readonly compose: readonly [string, ...string[]] | undefined
}

/** Returns the engine for tests with containers, or the reason to skip them. */
export function findEngine(): Engine | string {
  if (!process.env["CONTAINERS"]) return "it takes minutes: make image-test runs it"
  const named = process.env["ENGINE"]
  const responds = (name: string) => spawnSync(name, ["info"], { timeout: 10_000 }).status === 0
  const name = (named ? [named] : ["docker", "podman"]).find(responds)
  if (!name) return "neither docker nor podman responds"
  return {
    name,
    compose: composeOf(name),
    async run(...args) {
      const { stdout, stderr } = await run(name, args, { maxBuffer: 2 ** 28 })
      return args[0] === "logs" ? stdout + stderr : stdout.trim()
    },
  }
}

/** COMPOSE names another program, with arguments. */
function composeOf(engine: string): Engine["compose"] {
  const given = process.env["COMPOSE"]?.split(" ") as [string, ...string[]] | undefined
  const found: readonly [string, ...string[]][] = given
    ? [given]
    : engine === "docker"
    ? [["docker", "compose"], ["docker-compose"]]
    : [["podman-compose"], ["podman", "compose"]]
  return found.find(([file, ...args]) => spawnSync(file, [...args, "version"]).status === 0)
}
