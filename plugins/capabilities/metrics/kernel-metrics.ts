import { counter, gauge, type Metric, type RunningService } from "../../../core/capability.ts"

/** A configuration in service. */
export type MeasuredInstance = Pick<
  RunningService["instance"],
  "config" | "since" | "database" | "nodes" | "recorders" | "readiness"
>

/** Returns the metrics of a configuration in service. Counters begin at 0 with each configuration. */
export async function instanceMetrics(measured: MeasuredInstance): Promise<readonly Metric[]> {
  const { config, since, database, nodes, recorders } = measured
  const { connections, dialect } = database
  const readiness = await measured.readiness()
  const databaseState = readiness.primary === "ok" ? readiness.database : readiness.primary
  return [
    gauge(
      "event_export_ready",
      "1 if the service can answer requests, as /readyz says.",
      Number(readiness.ready),
    ),
    gauge(
      "event_export_database_state",
      "1 for the state that the database is in for this process: ok, away or cut off.",
      ["ok", "away", "cut off"].map((state) => ({
        labels: { state },
        value: Number(state === databaseState),
      })),
    ),
    gauge(
      "event_export_info",
      "1, with the hash of the current configuration and the database as labels.",
      [{ labels: { config: config.hash, database: dialect.version }, value: 1 }],
    ),
    gauge(
      "event_export_config_applied_timestamp_seconds",
      "Time since when the configuration applies, in Unix seconds.",
      since,
    ),
    gauge(
      "event_export_config_refused",
      "1 while the configuration in the file is refused, and an older one applies.",
      Number(readiness.config === "refused"),
    ),
    gauge(
      "event_export_database_connections",
      "Connections for reading: used, waited for, and the upper bound.",
      (["used", "waiting", "most"] as const).map((state) => ({
        labels: { state },
        value: connections[state],
      })),
    ),
    counter(
      "event_export_database_connection_waits_total",
      "Reads that found all connections in use.",
      connections.waits,
    ),
    ...batchMetrics(recorders.numbers),
    ...changeLogMetrics(nodes.changes.numbers),
  ]
}

type Batches = MeasuredInstance["recorders"]["numbers"]

function batchMetrics(batches: Batches): readonly Metric[] {
  const each = (value: (numbers: Batches[string]) => number) =>
    Object.entries(batches).map(([batch, numbers]) => ({
      labels: { batch },
      value: value(numbers),
    }))
  return [
    gauge("event_export_batch_waiting", "Entries waiting to be written.", each((b) => b.waiting)),
    gauge(
      "event_export_batch_age_seconds",
      "Time that the oldest entry has been waiting to be written.",
      each(({ age }) => age / 1000),
    ),
    counter(
      "event_export_batch_dropped_total",
      "Entries that were not written, and are lost.",
      each(({ dropped }) => dropped),
    ),
  ]
}

function changeLogMetrics(
  { faults, age, oldestOpen }: MeasuredInstance["nodes"]["changes"]["numbers"],
): readonly Metric[] {
  return [
    gauge(
      "event_export_trigger_faults",
      "Triggers that are missing or different, and tables that were rebuilt.",
      faults.length,
    ),
    gauge(
      "event_export_open_changes_look_age_seconds",
      "Time since the last look at open changes: Next-Since stands still as long.",
      age ?? 0,
    ),
    gauge(
      "event_export_oldest_open_change_seconds",
      "Age of the oldest change that is not committed: Next-Since stays behind it.",
      oldestOpen,
    ),
  ]
}

/** What a process counts across configurations. */
interface ProcessNumbers {
  /** Reloads by their result. */
  readonly reloads: Readonly<Record<"applied" | "refused", number>>
  /** Lines of the log that standard output did not take. */
  readonly lostLines: number
}

/** Returns the metrics of a process. */
export function processMetrics({ reloads, lostLines }: ProcessNumbers): readonly Metric[] {
  return [
    counter(
      "event_export_reloads_total",
      "Reloads of the configuration, by result.",
      Object.entries(reloads).map(([result, value]) => ({ labels: { result }, value })),
    ),
    counter(
      "event_export_log_dropped_total",
      "Lines of the log that are lost because standard output did not take them.",
      lostLines,
    ),
  ]
}
