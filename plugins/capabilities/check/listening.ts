import { createServer } from "node:net"
import { type Config, isLoopback, type Warning } from "../../../core/capability.ts"

/** Where a service listens: the names of the settings, and their values. */
interface Address {
  readonly name: string
  readonly host: string
  readonly port: number
}

/** Returns where the service listens with a configuration. */
function addressesOf({ settings }: Pick<Config, "settings">): readonly Address[] {
  return ["server", "admin"].flatMap((name) => {
    const [host, port] = [settings[`${name}.host`], settings[`${name}.port`]]
    return typeof host === "string" && typeof port === "number" ? [{ name, host, port }] : []
  })
}

/** Returns why a service could not listen with a configuration, whatever the machine. */
export function findSamePorts(config: Pick<Config, "settings">): readonly string[] {
  const [server, admin] = addressesOf(config)
  if (!server || !admin || server.port !== admin.port || server.port === 0) return []
  const hosts = [server.host, admin.host]
  const isEverywhere = hosts.includes("0.0.0.0") || hosts.includes("::")
  const isNamed = hosts.includes("localhost") && hosts.every(isLoopback)
  if (!isEverywhere && !isNamed && server.host !== admin.host) return []
  return [
    `server.port and admin.port are both ${server.port}: the second to listen finds it taken. ` +
    `Choose another port for one of them`,
  ]
}

/** Finds hosts on which this machine cannot listen. Listens on each for a moment, on some free port. */
export async function findWrongHosts(config: Pick<Config, "settings">): Promise<Warning[]> {
  const found = await Promise.all(
    addressesOf(config).map(async ({ name, host }) => {
      const reason = await whyNotListening(host)
      return reason === undefined ? [] : [{
        about: `${name}.host`,
        message:
          `this machine has no address ${host} to listen on (${reason}), and a service would not start here. ` +
          `Write one that it has, such as 127.0.0.1, or 0.0.0.0 for all`,
      }]
    }),
  )
  return found.flat()
}

/** Returns why nothing can listen on a host; undefined if something can. */
async function whyNotListening(host: string): Promise<string | undefined> {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  server.once("error", ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message))
  server.listen({ host, port: 0 }, () => server.close(() => resolve(undefined)))
  return await promise
}
