/** Returns the path and query of the URL in `Link: <…>; rel="next"`. */
export function linkOf(response: Response): string | undefined {
  return /<http:\/\/[^/>]+(\/[^>]*)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1]
}
