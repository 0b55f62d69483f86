/** Returns the path and query of the URL in `Link: <…>; rel="next"`. */
export function linkOf({ headers }: { readonly headers: Headers }): string | undefined {
  return /<https?:\/\/[^/>]+(\/[^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1]
}
