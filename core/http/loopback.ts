/** True for names and addresses that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
}

/** Where a server is, as its settings say. */
interface ServerAddress {
  readonly host: string
  readonly port: number
  readonly publicUrl: string | undefined
}

/** The address that partners use. */
export function partnerUrl({ host, port, publicUrl }: ServerAddress): string {
  return publicUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`
}

/** True where partners use plain http, and nobody but this machine can listen. */
export function isPlainLoopback(server: ServerAddress): boolean {
  const { protocol, hostname } = new URL(partnerUrl(server))
  return protocol === "http:" && isLoopback(hostname)
}
