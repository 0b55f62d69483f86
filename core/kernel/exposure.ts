import type { Config } from "../config/read.ts"
import { isLoopback } from "../networks.ts"

/**
 * Returns the settings by which others than this machine can reach the service, each with its value;
 * none if it listens on loopback and nothing tells of a proxy in front of it. A
 * capability may know that only this machine reaches `server.host`.
 */
export function exposuresOf(
  { server, capabilities }: Pick<Config, "server" | "capabilities">,
): string[] {
  const { host, publicUrl, trust_proxy: proxies, host_names: names } = server
  const isLocal = isLoopback(host) ||
    capabilities.some(({ capability, settings }) => capability.settings?.isLocal?.(settings))
  return [
    ...isLocal ? [] : [`server.host ${host} is not loopback`],
    ...publicUrl === undefined || isLoopback(new URL(publicUrl).hostname)
      ? []
      : [`server.public_url ${publicUrl} is not loopback`],
    ...proxies.length > 0 ? ["server.trust_proxy is set"] : [],
    ...names.length > 0 ? ["server.host_names is set"] : [],
  ]
}
