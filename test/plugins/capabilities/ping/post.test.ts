import t from "tap"
import { Poster } from "../../../../plugins/capabilities/ping/post.ts"
import { ownHeaders, testPosting } from "../../../support/ping/posting.ts"

await testPosting(t, (t, options) => {
  const poster = new Poster(options)
  t.teardown(() => poster.close())
  return {
    post: (url, body = "{}") => poster.post(url, { headers: ownHeaders, body }),
    close: () => poster.close(),
  }
})
