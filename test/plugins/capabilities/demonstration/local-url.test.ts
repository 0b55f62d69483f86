import t from "tap"
import { localUrl } from "../../../../plugins/capabilities/demonstration/capability.ts"

t.test("localUrl returns loopback for a server on all addresses, and any other address as it is", (t) => {
  const urls = {
    "http://0.0.0.0:8080": "http://127.0.0.1:8080",
    "http://[::]:8080": "http://[::1]:8080",
    "http://10.0.0.0:8080": "http://10.0.0.0:8080",
    "http://127.0.0.1:80": "http://127.0.0.1:80",
    "http://[fd00::]:8080": "http://[fd00::]:8080",
  }
  for (const [url, local] of Object.entries(urls)) t.equal(localUrl(url), local)
  t.end()
})
