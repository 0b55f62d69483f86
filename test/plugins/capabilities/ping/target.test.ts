import t from "tap"
import {
  readTarget,
  TargetError,
  type TargetRules,
} from "../../../../plugins/capabilities/ping/target.ts"

const rules: TargetRules = { ports: [], loopback: false }

/** URLs that are tried by people who look for ways in, with what the sentence says. */
const hostile: readonly [url: string, why: string, says: RegExp][] = [
  // Other protocols.
  ["http://hooks.example.org/", "no TLS", /start with https/],
  ["file:///etc/passwd", "a file", /start with https/],
  // No URLs.
  ["", "nothing", /not a URL/],
  ["hooks.example.org", "no protocol", /not a URL/],
  ["https://", "no host", /not a URL/],
  // Addresses of IPv4, in all spellings.
  ["https://127.0.0.1/", "loopback", /public name/],
  ["https://127.1/", "loopback, short", /written plainly, with 127.0.0.1/],
  ["https://2130706433/", "loopback, decimal", /written plainly, with 127.0.0.1/],
  ["https://0x7f000001/", "loopback, hexadecimal", /written plainly, with 127.0.0.1/],
  ["https://127.0.0.1./", "loopback with a dot at its end", /written plainly/],
  ["https://１２７.０.０.１/", "loopback, full-width digits", /written plainly, with 127.0.0.1/],
  ["https://0/", "this machine", /written plainly, with 0.0.0.0/],
  ["https://169.254.169.254/latest/meta-data/", "metadata of a cloud", /public name/],
  ["https://8.8.8.8/", "a public address: receivers have names", /public name/],
  // Addresses of IPv6.
  ["https://[::1]/", "loopback", /public name/],
  ["https://[0:0:0:0:0:0:0:1]/", "loopback, in full", /written plainly, with \[::1\]/],
  ["https://[::ffff:127.0.0.1]/", "loopback, mapped", /written plainly/],
  // Names.
  ["https://ｌｏｃａｌｈｏｓｔ/", "this machine, full-width", /written plainly, with localhost/],
  ["https://loc\u00adalhost/", "this machine, with a soft hyphen", /written plainly/],
  ["https://intranet/", "a name of the network that the service is in", /public name/],
  ["https://hooks.example.org./", "a dot at the end: another name for rules", /public name/],
  ["https://hooks..example.org/", "an empty label", /public name/],
  ["https://_hooks.example.org/", "no name of a host", /written plainly/],
  ["https://-hooks.example.org/", "a name that programs take for an option", /public name/],
  ["https://bücher.example.org/", "an IDN that is not encoded", /with xn--bcher-kva.example.org/],
  [`https://${"a.".repeat(130)}example/`, "a name that is too long", /public name|no URL/],
  // Users, fragments, and what parsers understand in different ways.
  ["https://user@hooks.example.org/", "a user", /no @/],
  ["https://user:word@hooks.example.org/", "a password", /no @/],
  ["https://127.0.0.1\\@hooks.example.org/", "a backslash and a user", /no @/],
  ["https://hooks.example.org/#x", "a fragment", /no fragment/],
  ["https://127.0.0.1#.example.org/", "a host that ends with a fragment", /no fragment/],
  ["https://hooks.example.org\\.evil.example/", "a backslash in the host", /written plainly/],
  ["https:\\\\hooks.example.org/", "backslashes for slashes", /written plainly/],
  ["https://hooks.example.org/a\\b", "a backslash in the path", /written plainly/],
  ["\thttps://hooks.example.org/", "a tab first", /written plainly/],
  ["https://hooks.example.org/\r\nX-Injected: 1", "a header in the path", /written plainly/],
  ["https://hooks.example.org/\u0000", "a zero byte", /written plainly/],
  // Ports.
  ["https://hooks.example.org:22/", "SSH", /port 22/],
  ["https://hooks.example.org:8443/", "a port that the operator did not allow", /port 8443/],
  ["https://hooks.example.org:0/", "no port", /port 0/],
  // Sizes.
  [`https://hooks.example.org/${"a".repeat(480)}`, "too long", /500 characters/],
  [`https://hooks.example.org/${"{".repeat(200)}`, "too long once it is encoded", /500 characters/],
]

t.test(`${hostile.length} hostile URLs are refused, each with a sentence`, async (t) => {
  for (const [url, why, says] of hostile) {
    t.match(sentence(url), says, `${why}: ${JSON.stringify(url.slice(0, 60))}`)
    t.match(sentence(url), /^[ -~]{10,350}$/, "nothing that is no plain text is repeated")
  }
})

t.test("URLs of receivers are accepted", async (t) => {
  for (
    const url of [
      "https://hooks.example.org",
      "https://Hooks.Example.ORG/Path",
      "https://hooks.example.org:443/",
      "https://hooks.example.org/a/b%20c?token=x&y=%0A",
      "https://a-1.b--c.example.co.uk?x",
      "https://127.0.0.1.example.org/",
      "https://hooks.xn--p1ai/",
    ]
  ) t.equal(sentence(url), "", url)
})

t.test("ports and hosts are those that the operator allows", async (t) => {
  const more = { ...rules, ports: [8443] }
  t.equal(sentence("https://hooks.example.org:8443/", more), "")
  t.match(
    sentence("https://hooks.example.org:8444/", more),
    /does not allow port 8444, only 443, 8443/,
  )
  const few = { ...rules, hosts: ["hooks.example.org", "*.Example.net"] }
  for (
    const host of ["hooks.example.org", "HOOKS.example.org", "a.example.net", "a.b.example.net"]
  ) {
    t.equal(sentence(`https://${host}/`, few), "", host)
  }
  for (
    const host of [
      ...["example.org", "a.hooks.example.org", "xhooks.example.org", "aexample.net"],
      ...["example.net", "example.net.evil.example", "127.0.0.1"],
    ]
  ) t.match(sentence(`https://${host}/`, few), /does not allow receivers on/, host)
})

t.test("loopback is allowed for demonstrations only, and nothing else with it", async (t) => {
  const loopback = { ...rules, loopback: true }
  for (
    const url of [
      "http://127.0.0.1:8080/hook",
      "http://127.255.0.1:1/",
      "http://LOCALHOST:3000/",
      "http://[::1]:3000/",
      "https://127.0.0.1/",
    ]
  ) {
    t.equal(sentence(url, loopback), "", url)
    t.not(sentence(url), "", url)
  }
  for (
    const url of [
      "http://hooks.example.org/",
      "http://10.0.0.1/",
      "http://128.0.0.1/",
      "http://[::]/",
      "http://[::ffff:7f00:1]/",
      "http://localhost.example.org/",
      "http://user@127.0.0.1/",
      "https://hooks.example.org:8080/",
    ]
  ) t.not(sentence(url, loopback), "", url)
  t.match(
    sentence("http://127.0.0.1/", { ...loopback, hosts: ["*.example.org"] }),
    /does not allow/,
  )
})

/** Returns why a URL is refused; empty if it is not. */
function sentence(url: string, by = rules): string {
  try {
    readTarget(url, by)
    return ""
  } catch (error) {
    if (error instanceof TargetError) return error.message
    throw error
  }
}
