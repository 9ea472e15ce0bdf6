import type { Report } from '../../conformance/index.js'

/** What to do next, where the report cannot know it: it has no flags and no shell. */
export function nextStep({ verdict, sites, seed }: Pick<Report, 'verdict' | 'sites' | 'seed'>): string | undefined {
  const hasBegun = sites.length > 0
  switch (verdict) {
    case 'unreachable':
      return hasBegun
        ? `Look into the service's log, start it again, and give --seed ${seed} to be sent the same requests.`
        : 'Is the service running, and is that the address of its root, version included?'
    case 'refused':
      return hasBegun
        ? 'Give a token that lives longer than the run, or a shorter run: --time, --requests.'
        : 'Give a token that is good for all that the spec describes: --token, or SPECWRIGHT_TOKEN.'
    case 'hollow':
      return 'Give the service data, the token more rights, or the judge more to do: --allow-writes, --requests, --time.'
    default:
      return undefined
  }
}
