import {
  type AbortableOperationOptions,
  type DatabaseConnection,
  type Driver,
  MysqlDialect,
  type MysqlDialectConfig,
  MysqlDriver,
} from "kysely"

/**
 * Kysely's dialect for MySQL, without its lines on standard error: it writes one whenever a statement fails after its
 * signal has aborted. Whoever waited for the statement has been told by then, and a log has lines of JSON only.
 */
export class QuietMysqlDialect extends MysqlDialect {
  readonly #config: MysqlDialectConfig

  constructor(config: MysqlDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): Driver {
    return new QuietMysqlDriver(this.#config)
  }
}

class QuietMysqlDriver extends MysqlDriver {
  readonly #silenced = new WeakSet<DatabaseConnection>()

  override async acquireConnection(
    options?: AbortableOperationOptions,
  ): Promise<DatabaseConnection> {
    try {
      const connection = await super.acquireConnection(options)
      if (!this.#silenced.has(connection)) silence(connection)
      this.#silenced.add(connection)
      return connection
    } catch (error) {
      // There is nothing to release, so nobody waits for it.
      if (options?.signal?.aborted) return await new Promise(() => {})
      throw error
    }
  }
}

/** Makes statements that fail after they were aborted succeed: the caller has got the reason of the signal. */
function silence(connection: DatabaseConnection): void {
  const { executeQuery, cancelQuery } = connection
  connection.executeQuery = async (query, options) => {
    try {
      return await executeQuery.call(connection, query, options) as never
    } catch (error) {
      if (options?.signal?.aborted) return { rows: [] }
      throw error
    }
  }
  // If the server cannot be asked, its own time limit stops the statement.
  connection.cancelQuery = async (provider) => {
    await cancelQuery?.call(connection, provider).catch(() => {})
  }
}
