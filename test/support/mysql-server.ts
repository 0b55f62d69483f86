import { containerMysql } from "./mysql/container.ts"
import { givenMysql } from "./mysql/given.ts"
import { startLocal } from "./mysql/local-server.ts"
import { installedProgram, unpackedProgram } from "./mysql/programs.ts"
import type { RunningMysql, Way } from "./mysql/way.ts"

const ways: readonly Way[] = [
  { name: "TEST_DATABASE_URL", start: givenMysql },
  { name: "a container engine", start: containerMysql },
  {
    name: "mysqld on PATH",
    start: async (signal) => startLocal(await installedProgram("mysql"), signal),
  },
  {
    name: "MySQL from the package mirror",
    start: async (signal) => startLocal(await unpackedProgram("mysql", signal), signal),
  },
  {
    name: "mariadbd on PATH",
    start: async (signal) => startLocal(await installedProgram("mariadb"), signal),
  },
  {
    name: "MariaDB from the package mirror",
    start: async (signal) => startLocal(await unpackedProgram("mariadb", signal), signal),
  },
]

const advice = `No MySQL server for the tests. Provide one of these:
  1. TEST_DATABASE_URL=mysql://user:password@host:port of an account that may create databases
  2. a container engine at DOCKER_HOST or its usual socket, able to run the image mysql:9.7
  3. mysqld on PATH, or Debian or Ubuntu with a package mirror to unpack MySQL from
  4. mariadbd on PATH, or MariaDB unpacked in the same way`

/**
 * Starts the server that all test files share, in the first way that works. Prints a line for each
 * attempt. Prints advice and returns undefined if no way works. Throws if TEST_DATABASE_URL is set but
 * can't be used.
 */
export async function startMysql(signal: AbortSignal): Promise<RunningMysql | undefined> {
  for (const way of ways) {
    try {
      const running = await way.start(signal)
      console.log(`mysql: ${way.name}: ${running.how}`)
      return running
    } catch (error) {
      signal.throwIfAborted()
      const reason = error instanceof Error ? error.message : String(error)
      if (way.start === givenMysql && process.env["TEST_DATABASE_URL"]) {
        throw new Error(`TEST_DATABASE_URL is set but can't be used: ${reason}`)
      }
      console.log(`mysql: not ${way.name}: ${reason.trim().split("\n")[0]}`)
    }
  }
  console.error(advice)
  return undefined
}
