import { unexpected } from './unexpected.js'

/**
 * A link as the service gave it, made absolute against the page that carried it. It is followed with the caller's
 * credentials, so one that leads to another origin is refused with a `TypeError`.
 */
export const resolveLink = (link: string, page: string): string => {
  const { href, origin } = new URL(link, page)
  return origin === new URL(page).origin ? href : unexpected(`a link like ${page}`, href)
}
