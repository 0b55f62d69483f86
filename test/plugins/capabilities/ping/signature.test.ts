import { Webhook } from "standardwebhooks"
import t from "tap"
import { newSecret, signedHeaders } from "../../../../plugins/capabilities/ping/signature.ts"

/** Messages whose signatures are published: by the libraries of the specification, and by its first user. */
const vectors = [
  {
    message: {
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      at: 1614265330,
      body: '{"test": 2432232314}',
      secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    },
    signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  },
]

t.test("signatures are those of the specification", async (t) => {
  for (const { message, signature } of vectors) {
    t.same(signedHeaders(message), {
      "webhook-id": message.id,
      "webhook-timestamp": String(message.at),
      "webhook-signature": signature,
    })
  }
})

t.test("the package of the specification verifies what is signed", async (t) => {
  const body = '{"type":"changed","event":"ä","list":"guests","changed":1}'
  const [former, current, other] = [newSecret(), newSecret(), newSecret()]
  const message = { id: "msg_a-B_1", at: Math.floor(Date.now() / 1000), body }
  const headers = signedHeaders({ ...message, secrets: [current, former] })
  t.match(headers["webhook-signature"], /^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/)
  for (const secret of [former, current]) t.ok(new Webhook(secret).verify(body, headers))
  t.throws(() => new Webhook(other).verify(body, headers))
  t.throws(() => new Webhook(current).verify(`${body} `, headers))
  t.throws(() => new Webhook(current).verify(body, { ...headers, "webhook-id": "msg_b" }))
  const later = { ...headers, "webhook-timestamp": `${message.at + 1}` }
  t.throws(() => new Webhook(current).verify(body, later))
})

t.test("a secret has 32 random bytes", async (t) => {
  t.not(newSecret(), newSecret())
  t.match(newSecret(), /^whsec_[A-Za-z0-9+/]{43}=$/)
})

t.test("what could be taken for another message is not signed", async (t) => {
  const message = { id: "msg_1", at: 1, body: "{}", secrets: [newSecret()] }
  for (const id of ["", "msg.1", "msg 1", "msg\r\n1", "msg\u00e4"]) {
    t.throws(() => signedHeaders({ ...message, id }), JSON.stringify(id))
  }
  t.throws(() => signedHeaders({ ...message, secrets: [] }), "no secret")
  for (const secret of ["", "whsec_", "whsec_c2hvcnQ=", newSecret().slice(6)]) {
    t.throws(() => signedHeaders({ ...message, secrets: [secret] }), JSON.stringify(secret))
  }
})
