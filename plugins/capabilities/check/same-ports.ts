import { type Config, isLoopback } from "../../../core/capability.ts"

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

/** Returns why a service could not listen with a configuration on any machine. */
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
