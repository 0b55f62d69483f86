import { pathToFileURL } from "node:url"
import t from "tap"
import { writeTutorial } from "../../support/tutorial.ts"

// Inside the project, so that the copy finds its packages.
const files = writeTutorial(t.testdir({}))
t.strictSame(files.length, 4, "the table, the routes, the capability and the test")
for (const file of files) {
  if (file.endsWith(".test.ts")) await import(pathToFileURL(file).href)
}
