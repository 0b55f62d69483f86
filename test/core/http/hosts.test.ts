import t from "tap"
import { hostsOf, originOf, refuseHost } from "../../../core/http/hosts.ts"

const [https, local] = ["https://export.example.org", "http://127.0.0.1:8080"]

/** A public URL, a `Host` header, and the origin of the response's URLs. */
const cases: [publicUrl: string | undefined, host: string, origin: string][] = [
  [https, "export.example.org", https],
  [https, "EXPORT.example.org.:443", https],
  [https, "export.example.org:8080", https],
  [`${https}:8443`, "export.example.org", `${https}:8443`],
  [https, "export.example.net", "https://export.example.net"],
  [https, "export.example.net:8443", "https://export.example.net:8443"],
  [https, "localhost:8080", https],
  [https, "127.0.0.1:8080", https],
  [local, "127.0.0.1:8080", local],
  [local, "localhost:18131", "http://localhost:18131"],
  [local, "[::1]:8080", "http://[::1]:8080"],
  [local, "export.example.net", "http://export.example.net"],
  [undefined, "localhost:8080", "http://localhost:8080"],
  [undefined, "Export.example.org", "http://export.example.org"],
]

t.test("originOf returns the public URL for its own host, and else that of the host that was asked", (t) => {
  for (const [publicUrl, host, origin] of cases) {
    t.equal(originOf(host, publicUrl), origin, `${host} of ${publicUrl}`)
  }
  t.end()
})

t.test("refuseHost lets pass the names of the service alone, or all if it has none", async (t) => {
  const judge = (host: string, hosts: Parameters<typeof hostsOf>[0]) =>
    refuseHost(host, hostsOf(hosts))?.code
  const behind = { host: "0.0.0.0", publicUrl: "https://export.example.org", hosts: ["b.example"] }
  t.equal(judge("Export.Example.ORG.:443", behind), undefined)
  t.equal(judge("b.example", behind), undefined)
  t.equal(judge("127.0.0.1:8080", behind), undefined)
  t.equal(judge("c.example", behind), "misdirected_request")

  const anywhere = { host: "0.0.0.0", publicUrl: undefined, hosts: [] }
  for (const host of ["c.example", "my_host:8080", "192.0.2.1", "[2001:db8::1]:80", "[::1]"]) {
    t.equal(judge(host, anywhere), undefined, host)
  }
  // Programs and pages for partners contain it.
  for (const host of ["x$(id)y", "x`id`", "x'y", 'x"y', "x;y", "x&y", "x%20y", "<b>", "x,y", "é"]) {
    t.equal(judge(host, anywhere), "malformed_request", host)
  }
})
