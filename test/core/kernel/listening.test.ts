import { readFileSync, writeFileSync } from "node:fs"
import process from "node:process"
import t, { type Test } from "tap"
import { startListening } from "../../../core/kernel/listening.ts"
import { freshWorkshop } from "../../support/service.ts"

/** Addresses on which the service cannot listen, and why. */
const impossible: Readonly<Record<string, [server: string, why: RegExp]>> = {
  "an address of another machine": [
    "host: 192.0.2.1, port: 0",
    /^Cannot listen on http:\/\/192\.0\.2\.1:0: this machine does not have that address \(EADDRNOTAVAIL\)\. Nothing is served\. Set server\.host /,
  ],
  "an unknown name": [
    "host: no-such-host.invalid, port: 0",
    /^Cannot listen on http:\/\/no-such-host\.invalid:0: no address is known for that name \((ENOTFOUND|EAI_AGAIN)\)\. Nothing is served\. Set server\.host /,
  ],
}

for (const [name, [server, why]] of Object.entries(impossible)) {
  t.test(`startListening explains that it cannot listen on ${name}`, async (t) => {
    await t.rejects(startListening(await serviceAt(t, server)), { message: why })
  })
}

t.test("startListening explains that a port is for privileged users only", {
  skip: whyNoPrivilegedPort(),
}, async (t) => {
  const service = await serviceAt(t, "host: 127.0.0.1, port: 81")
  const isRoot = process.geteuid?.() === 0
  const nobody = 65534
  if (isRoot) process.seteuid?.(nobody)
  try {
    await t.rejects(startListening(service), {
      message:
        /^Cannot listen on http:\/\/127\.0\.0\.1:81: this user may not use the port \(EACCES\)\. Nothing is served\. Set server\.port to 1024 or more/,
    })
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
})

function whyNoPrivilegedPort(): string | false {
  try {
    const first = Number(readFileSync("/proc/sys/net/ipv4/ip_unprivileged_port_start", "utf8"))
    return first <= 81 ? "every user may use every port here" : false
  } catch {
    return "only on Linux"
  }
}

async function serviceAt(t: Test, server: string) {
  const workshop = await freshWorkshop(t)
  workshop.write("")
  const text = readFileSync(workshop.file, "utf8")
  writeFileSync(workshop.file, text.replace("host: 127.0.0.1, port: 0", server))
  return await workshop.start()
}
