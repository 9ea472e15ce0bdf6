import type { Completions } from './completions.js'

/**
 * Completions as the scripts of the shells read them: a line that says which paths fit, whether a blank may follow, what the
 * word begins with and which endings fit; then a line for each word, a tab, and what it is.
 *
 *     files blank --spec= yaml yml
 *     folders blank -
 *     none open -
 */
export function forShell({ prefix, candidates, paths }: Completions): string {
  const follows = candidates.some(({ open }) => open === true) ? 'open' : 'blank'
  const endings = paths?.kind === 'files' ? paths.endings : []
  const head = [paths?.kind ?? 'none', follows, prefix === '' ? '-' : prefix, ...endings].join(' ')
  const lines = candidates.map(({ text, about }) => `${prefix}${text}${about === undefined ? '' : `\t${about}`}`)
  return [head, ...lines].join('\n')
}
