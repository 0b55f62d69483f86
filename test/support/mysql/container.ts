import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { request } from "node:http"
import process from "node:process"
import { throwAwayFlags } from "./flags.ts"
import { untilReady } from "./ready.ts"
import type { RunningMysql } from "./way.ts"

const image = "mysql:9.7"
const usualSocket = "/var/run/docker.sock"
const pingLimitMs = 2_000
const startLimitMs = 120_000

/**
 * Starts MySQL in a container. Rejects if no engine responds within 2 s, or if the engine can't pull
 * and start the image within 2 minutes. Stops a container that starts later.
 */
export async function containerMysql(signal: AbortSignal): Promise<RunningMysql> {
  await ping(engineAddress())
  console.log(`mysql: a container engine responds, starting ${image} (2 minutes at most)`)
  const limit = AbortSignal.any([signal, AbortSignal.timeout(startLimitMs)])
  const starting = startContainer(limit)
  starting.catch(() => {})
  return await Promise.race([starting, whenAborted(limit)]).catch((error: Error) => {
    throw new Error(`the engine responds but could not start ${image}: ${error.message}`)
  })
}

async function startContainer(limit: AbortSignal): Promise<RunningMysql> {
  const { MySqlContainer } = await import("@testcontainers/mysql")
  const password = randomBytes(16).toString("hex")
  const container = await new MySqlContainer(image)
    .withRootPassword(password)
    .withTmpFs({ "/var/lib/mysql": "rw" })
    .withCommand(throwAwayFlags("mysql"))
    .start()
  const stop = async (): Promise<void> => void (await container.stop({ timeout: 0 }))
  try {
    const url = `mysql://root:${password}@${container.getHost()}:${container.getPort()}`
    limit.throwIfAborted()
    return { url, how: `${image}, server ${await untilReady(url, 60_000, limit)}`, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Address = { readonly socketPath: string } | { readonly host: string; readonly port: string }

function engineAddress(): Address {
  const given = process.env["DOCKER_HOST"]
  if (!given) {
    if (existsSync(usualSocket)) return { socketPath: usualSocket }
    throw new Error(`no DOCKER_HOST, no ${usualSocket}`)
  }
  const url = URL.parse(given)
  if (url?.protocol === "unix:") return { socketPath: url.pathname }
  const plain = process.env["DOCKER_TLS_VERIFY"] === undefined
  if (plain && (url?.protocol === "tcp:" || url?.protocol === "http:")) {
    return { host: url.hostname, port: url.port }
  }
  throw new Error("DOCKER_HOST is neither unix:// nor plain tcp://")
}

function ping(address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(pingLimitMs)
    const pinging = request({ ...address, path: "/_ping", signal, agent: false }, (response) => {
      response.resume()
      if (response.statusCode === 200) resolve()
      else reject(new Error(`/_ping returns ${response.statusCode}`))
    })
    pinging.once("error", (error) => {
      const late = signal.aborted ? `no response within ${pingLimitMs / 1_000} s` : error.message
      reject(new Error(late))
    })
    pinging.end()
  })
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  })
}
