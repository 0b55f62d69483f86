import { globSync } from "node:fs"
import { basename } from "node:path"
import t from "tap"
import { migrationState } from "../../../core/data/migrate.ts"
import { freshDatabase } from "../../support/database.ts"

t.test("migrate applies every file in migrations/ that begins with a number, in order", async (t) => {
  const files = globSync("core/data/migrations/[0-9]*.ts").map((path) => basename(path, ".ts"))
  const { applied, pending } = await migrationState(await freshDatabase(t, "sqlite"))
  t.strictSame(applied, files.sort())
  t.strictSame(pending, [])
})
