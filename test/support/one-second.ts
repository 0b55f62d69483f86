import type { Database } from "../../core/data/database.ts"

/**
 * Does something, again if the second of the database's clock has changed meanwhile: so that it can look at what lies
 * exactly at the limit of a time span. Passes that second on.
 */
export async function withinOneSecond<T>(
  { writer, dialect }: Database,
  work: (now: number) => Promise<T>,
): Promise<T> {
  const read = () => writer.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
  for (;;) {
    const { now } = await read()
    const result = await work(now)
    if ((await read()).now === now) return result
  }
}
