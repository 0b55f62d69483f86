import { isLoopback } from "../networks.ts"

/** Where a server listens, by its settings. */
interface ServerAddress {
  readonly host: string
  readonly port: number
  readonly publicUrl: string | undefined
}

/** Returns the URL that partners use. */
export function partnerUrl({ host, port, publicUrl }: ServerAddress): string {
  return publicUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`
}

/** True if partners use plain http and only this machine can reach the server. */
export function isPlainLoopback(server: ServerAddress): boolean {
  const { protocol, hostname } = new URL(partnerUrl(server))
  return protocol === "http:" && isLoopback(hostname)
}
