import { type FeedDesign, ownFeed } from "./feed-model.ts"

/** Designs that lose something, by name. */
export const losingFeeds: ReadonlyMap<string, { readonly design: FeedDesign }> = new Map([
  ["the mark of the last page", {
    design: {
      ...ownFeed,
      end(walk, page) {
        const state = ownFeed.end(walk, page)
        if (state === "resync" || page.version === undefined) return state
        const from = Math.max(walk.since, walk.gone)
        return { ...state, mark: { version: page.version, from, isSettled: false } }
      },
    },
  }],
  ["since moves during a walk", {
    design: {
      ...ownFeed,
      end(walk, page) {
        const state = ownFeed.end(walk, page)
        if (state === "resync" || !state.walk) return state
        const time = state.walk.after[0]
        return { ...state, since: time, gone: time, walk: undefined, mark: undefined }
      },
    },
  }],
])
