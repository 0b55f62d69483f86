import type { Promised } from "./promises.ts"

/** What documents say is not promised, or holds in part only: quoted as promises are. */
export const limits: readonly Required<Pick<Promised, "in" | "said" | "short">>[] = [
  {
    in: "config/handbook/polling.md",
    said:
      "no transaction takes longer than `polling.lag`, and the clock is never set back further than that",
    short:
      "On the embedded database, and behind views without triggers, polls miss changes of transactions that take longer " +
      "than `polling.lag`.",
  },
  {
    in: "config/handbook/polling.md",
    said: "`truncate` fires no trigger: nobody learns what was deleted.",
    short: "After a `truncate`, nobody learns what was deleted without `resync`.",
  },
  {
    in: "config/handbook/backup.md",
    said: "Deleted guests are there again, and partners get them.",
    short: "A restore brings guests back that were deleted after the backup.",
  },
  {
    in: "plugins/capabilities/servers/lossless.md",
    said: "what was lost stays in copies until a digest or `resync`",
    short:
      "After a failover that lost commits, copies have what was lost until a digest or `resync`.",
  },
  {
    in: "plugins/capabilities/servers/lossless.md",
    said: "not promised for a second after it wakes: an answer may be older than `staleness`",
    short:
      "For a second after a machine wakes that has a service and a server, an answer may be older than `staleness`.",
  },
  {
    in: "plugins/capabilities/export/README.md",
    said: "Caddy 2.6, and HAProxy 2.6 over HTTP/2, hide such a cut.",
    short:
      "Caddy 2.6, and HAProxy 2.6 over HTTP/2, hide the cut connection of an incomplete CSV export. Its open quote, or an " +
      "end line, shows it.",
  },
  {
    in: "config/handbook/disclosures.md",
    said: "It proves nothing about backups and other copies",
    short: "What a client attests proves nothing about its backups and other copies.",
  },
  {
    in: "config/handbook/incidents.md",
    said: "Entries of the audit log that waited in a killed process are lost: the log has them",
    short: "Entries of the audit log that waited in a killed process are lost; the log has them.",
  },
  {
    in: "config/README.md",
    said: "with four processes a partner may send four times as many requests",
    short: "Limits of accounts count per process.",
  },
  {
    in: "plugins/README.md",
    said:
      "ends the process, or loops without awaiting | cannot be contained: load only what you trust",
    short: "A plugin that ends the process, or loops without awaiting, cannot be contained.",
  },
  {
    in: "config/handbook/security.md",
    said: "TLS towards partners is the proxy's task.",
    short: "TLS towards partners is the proxy's task.",
  },
  {
    in: "config/handbook/containers.md",
    said: "It was never tried on a cluster.",
    short: "`kubernetes.yaml` was never tried on a cluster.",
  },
]
