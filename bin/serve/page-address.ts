import type { Terminal } from '../terminal.js'
import type { Identity } from './identity.js'
import type { ServeFlags } from './serve-flags.js'

/**
 * Where the page is. Whoever follows the address is signed in: the token is in the fragment, which a browser keeps to
 * itself. A token that was given is shown to a person at a terminal only, since logs last.
 */
export function pageAddress(
  origin: string,
  { token, json }: ServeFlags,
  identity: Identity | undefined,
  { interactive, colour }: Pick<Terminal, 'interactive' | 'colour'>,
): string {
  const shown = identity?.minted ?? (interactive && colour.err && !json ? token : undefined)
  return `${origin}/${shown === undefined ? '' : `#token=${shown}`}`
}
