import t from "tap"
import { originOf } from "../../../core/http/origin.ts"

const otherwise = "http://0.0.0.0:8080"
const [https, local] = ["https://export.example.org", "http://127.0.0.1:8080"]

/** A public URL, a `Host` header, and the origin of the response's URLs. */
const cases: [publicUrl: string | undefined, host: string | undefined, origin: string][] = [
  [https, "export.example.org", https],
  [https, "EXPORT.example.org.:443", https],
  [https, "export.example.org:8080", https],
  [`${https}:8443`, "export.example.org", `${https}:8443`],
  [https, "export.example.net", "https://export.example.net"],
  [https, "export.example.net:8443", "https://export.example.net:8443"],
  [https, "localhost:8080", https],
  [https, "127.0.0.1:8080", https],
  [https, undefined, otherwise],
  [https, "a b", otherwise],
  [local, "127.0.0.1:8080", local],
  [local, "localhost:18131", "http://localhost:18131"],
  [local, "[::1]:8080", "http://[::1]:8080"],
  [local, "export.example.net", "http://export.example.net"],
  [undefined, "localhost:8080", "http://localhost:8080"],
  [undefined, "Export.example.org", "http://export.example.org"],
]

for (const [publicUrl, host, origin] of cases) {
  t.test(`originOf returns ${origin} for the host ${host} of ${publicUrl}`, (t) => {
    t.equal(originOf(host, { publicUrl, otherwise }), origin)
    t.end()
  })
}
