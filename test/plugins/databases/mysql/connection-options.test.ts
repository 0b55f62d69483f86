import t from "tap"
import { readTargets } from "../../../../plugins/databases/mysql/connection-options.ts"
import { describeLocation } from "../../../../core/data/open.ts"

t.test("readTargets reads a URL, with port 3306 and five seconds to connect unless told", (t) => {
  t.match(readTargets("mysql://a%40b:p%2Fw@db.example.org/na%20me"), [{
    name: "db.example.org:3306",
    mayBePrimary: true,
    options: {
      host: "db.example.org",
      port: 3306,
      user: "a@b",
      password: "p/w",
      database: "na me",
      connectTimeout: 5000,
    },
  }])
  t.match(readTargets("mysql://a@[2001:db8::7]:3307/name"), [{
    name: "[2001:db8::7]:3307",
    options: { host: "2001:db8::7", port: 3307 },
  }])
  t.end()
})

t.test("readTargets reads several hosts with one user, one database and one encryption", async (t) => {
  const url = "mysql://ann:a,b@db1:3307,[2001:db8::7],db3/name?ssl=required"
  const targets = readTargets(url, ["db4", "[2001:db8::8]:3308"])
  t.strictSame(targets.map(({ name, mayBePrimary }) => [name, mayBePrimary]), [
    ["db1:3307", true],
    ["[2001:db8::7]:3306", true],
    ["db3:3306", true],
    ["db4:3306", false],
    ["[2001:db8::8]:3308", false],
  ])
  const same = {
    user: "ann",
    password: "a,b",
    database: "name",
    ssl: { rejectUnauthorized: false },
  }
  for (const { options } of targets) t.match(options, same)
  t.equal(await describeLocation(url), "db1:3307,[2001:db8::7]:3306,db3:3306/name")
})

t.test("readTargets refuses hosts that are malformed or the same, and shows no password", (t) => {
  const wrong = [
    "db1,,db2",
    "db1,",
    ",db1",
    "db1,db2:port",
    "db1,db1",
    "db1:3306,db1",
    "db1,db2,DB1:33 06",
    "[::1],[0:0::1]",
  ]
  for (const hosts of wrong) {
    t.throws(() => readTargets(`mysql://ann:hunter2@${hosts}/name`), {
      message: /^Cannot read the database URL: (?!.*hunter2)/,
    }, hosts)
  }
  t.throws(() => readTargets("mysql://ann:hunter2@db1,db2/name", ["db2"]), {
    message:
      /^Cannot read the database URL: the hosts in it and in database\.replicas must differ$/,
  })
  t.throws(() => readTargets("mysql://ann:hunter2@db1/name", ["db2/other"]), {
    message: /^Cannot read the database URL: (?!.*hunter2)/,
  })
  t.end()
})
