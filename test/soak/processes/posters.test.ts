import t, { type Test } from "tap"
import type { PosterOptions } from "../../../plugins/capabilities/ping/post.ts"
import { signedHeaders } from "../../../plugins/capabilities/ping/signature.ts"
import { createAuthority } from "../../support/certificates.ts"
import { startNameServer } from "../../support/ping/name-server.ts"
import { startPosterProcess } from "../support/posters.ts"
import { authority, certificate, patience, testPosting } from "../../support/ping/posting.ts"
import { type Act, answer, startReceiver } from "../../support/ping/receivers.ts"
import { withoutRuntime } from "../../support/runtimes.ts"

const body = '{"type":"changed"}'
const says = (text: string): Act => (socket) => void socket.write(answer(text))

/** Returns what a poster needs to reach `hooks.example.org` on loopback, at these ports. */
async function optionsFor(t: Test, ports: readonly number[]): Promise<PosterOptions> {
  const server = await startNameServer(t, () => ({ a: ["127.0.0.1"] }))
  return {
    ...{ ports, loopback: true, limits: patience, nameServers: [server.address] },
    authorities: [authority.certificate],
  }
}

t.test("on Deno", { skip: withoutRuntime("deno") }, async (t) => {
  await testPosting(t, (t, options) => startPosterProcess(t, "deno", { options }))

  await t.test("addresses are judged, and messages signed, in the same way", async (t) => {
    const { call } = startPosterProcess(t, "deno", { options: { ports: [], loopback: false } })
    const refused = [
      "10.0.0.1",
      "169.254.169.254",
      "::1",
      "::ffff:8.8.8.8",
      "fe80::1%eth0",
      "127.1",
    ]
    for (const address of refused) t.equal(await call({ isPublic: address }), false, address)
    for (const address of ["1.1.1.1", "2600::1"]) {
      t.equal(await call({ isPublic: address }), true, address)
    }
    const secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]
    const message = { id: "msg_1", at: 1_614_265_330, body, secrets }
    t.same(await call({ sign: message }), signedHeaders(message))
  })
})

for (const runtime of ["node", "deno"] as const) {
  const on = { skip: withoutRuntime(runtime) }

  t.test(`the environment changes nothing on ${runtime}`, on, async (t) => {
    const trap = await startReceiver(t, says("trap"))
    const good = await startReceiver(t, says("good"), { certificate })
    const bad = await startReceiver(t, says("bad"), {
      certificate: createAuthority("Strangers").issue("hooks.example.org"),
    })
    const plain = await startReceiver(t, says("plain"))
    const proxy = `http://127.0.0.1:${trap.port}`
    const { post } = startPosterProcess(t, runtime, {
      options: await optionsFor(t, [good.port, bad.port]),
      env: {
        ...{ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: "" },
        ...{ http_proxy: proxy, https_proxy: proxy, all_proxy: proxy, no_proxy: "" },
        ...{ NODE_USE_ENV_PROXY: "1", NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_NO_WARNINGS: "1" },
        // Deno itself would ask by a proxy whether there is a newer one.
        DENO_NO_UPDATE_CHECK: "1",
      },
    })
    const at = (port: number) => `https://hooks.example.org:${port}/`
    t.same(await post(at(good.port)), { status: 200, body: "good" })
    t.same(await post(`http://127.0.0.1:${plain.port}/`), { status: 200, body: "plain" })
    t.same(await post(at(bad.port)), { failed: "tls" })
    t.equal(trap.connections.made, 0)
  })
}
