/** The path that `Link: <…>; rel="next"` leads to, from the service's own address on. */
export function linkOf(response: Response): string | undefined {
  return /<http:\/\/[^/>]+(\/[^>]*)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1]
}
