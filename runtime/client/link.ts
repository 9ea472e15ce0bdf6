/** The service sent a link that must not be followed. */
export class LinkError extends Error {
  override readonly name = 'LinkError'
  readonly link: string

  constructor(link: string, problem: string) {
    super(`${problem}: ${link}`)
    this.link = link
  }
}

/**
 * A link as the service gave it, made absolute against the page that carried it. It is followed with the caller's
 * credentials, so one that leads to another origin is refused with a {@link LinkError}.
 */
export const resolveLink = (link: string, page: string): string => {
  const url = new URL(link, page)
  if (url.origin !== new URL(page).origin) {
    throw new LinkError(url.href, `Expected a link to ${new URL(page).origin}, where the page came from; found`)
  }
  return url.href
}
