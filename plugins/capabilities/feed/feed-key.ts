import { Buffer } from "node:buffer"
import { randomBytes } from "node:crypto"
import { type Database, translateError } from "../../../core/capability.ts"

/** The key that signs cursors. It never changes, and is in the database, so that all processes share it. */
export class FeedKey {
  readonly #primary: Database
  #found: Buffer | undefined

  constructor(primary: Database) {
    this.#primary = primary
  }

  /**
   * Returns the key, from the server that the request is read from. Makes one if there is none, unless another process does.
   * @throws {Unavailable}
   */
  async find(database: Database): Promise<Buffer> {
    if (this.#found) return this.#found
    const secret = await readSecret(database) ?? await this.#make().catch((error: unknown) => {
      throw translateError(error)
    })
    return this.#found = Buffer.from(secret, "base64url")
  }

  async #make(): Promise<string> {
    const { writer, dialect } = this.#primary
    const row = { id: 1, secret: randomBytes(32).toString("base64url") }
    // Of two processes that make one, the second gets that of the first.
    await dialect.orUpdate(writer.insertInto("feed_key").values(row), "id", { id: 1 }).execute()
    const { secret } = await writer.selectFrom("feed_key").select("secret").where("id", "=", 1)
      .executeTakeFirstOrThrow()
    return secret
  }
}

async function readSecret(database: Database): Promise<string | undefined> {
  const [row] = await database.readOnce(({ db, run }) =>
    run(db.selectFrom("feed_key").select("secret").where("id", "=", 1))
  )
  return row?.secret
}
