/** Where a server listens, by its settings. */
interface ServerAddress {
  readonly host: string
  readonly port: number
  readonly publicUrl: string | undefined
}

/** Returns the URL of a host, which may be an IPv6 address, and a port. */
export function httpUrl(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`
}

/** Returns the URL that partners use. */
export function partnerUrl({ host, port, publicUrl }: ServerAddress): string {
  return publicUrl ?? httpUrl(host, port)
}
