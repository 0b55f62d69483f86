// Writes config/handbook/evidence.md: node test/evidence/write.ts
import { writeFileSync } from "node:fs"
import { page, renderPage } from "./page.ts"

writeFileSync(page, renderPage())
