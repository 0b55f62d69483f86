// Removes the variables by which this machine would decide what tests see: those that the service, its clients,
// git and make read, and those that colour output. Import it first. What finds and fetches programs stays.
import process from "node:process"

const foreign = new RegExp(
  `^(${
    [
      "CONFIG|DATABASE_URL|SESSION_SECRET|HOST|PORT|ADMIN_HOST|ADMIN_PORT|REUSE_PORT|DEMO_LIVE",
      "CREDENTIALS_DIRECTORY|EXPORT_.*|OTEL_.*",
      "MAKEFLAGS|MFLAGS|MAKELEVEL|NODE_ENV|NODE_DISABLE_COLORS|NO_COLOR|FORCE_COLOR|CLICOLOR.*",
      "GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX)|CDPATH",
    ].join("|")
  })$`,
)

for (const name of Object.keys(process.env)) {
  // make pack-test names a configuration.
  if (foreign.test(name) && !(name === "CONFIG" && process.env["PACKED"])) delete process.env[name]
}

// A proxy of this machine cannot reach servers of tests.
const local = ["127.0.0.1", "localhost", "::1"]
for (const name of ["NO_PROXY", "no_proxy"]) {
  process.env[name] = [...new Set([...local, ...process.env[name]?.split(",") ?? []])].join(",")
}
