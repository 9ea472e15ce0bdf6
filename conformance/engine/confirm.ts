import type { Site } from '../discover/site.js'
import type { Finding } from '../rule/rule.js'

/** The result of confirming a suspected violation. */
export type Confirmation =
  | { readonly kind: 'confirmed'; readonly finding: Finding; readonly how: string }
  /** It did not occur again, although the data did not change. */
  | { readonly kind: 'flaky' }
  /** The data changed during every attempt. */
  | { readonly kind: 'unstable' }

/**
 * How often a violation must occur again between two reads of the data, and how often it may not: some bugs are
 * intermittent.
 */
const requiredConfirmations = 2
const allowedMisses = 1
/** How often to try while the data change. */
const maxAttempts = 6

/**
 * Repeats a check between two identical reads of the data, so that concurrent changes never count as violations.
 *
 * @param again repeats the check; returns the finding if it is the same
 * @param refresh reads the collections again; returns whether they changed
 * @param lookedAt the collections that the check used
 */
export async function confirm(
  again: () => Promise<Finding | undefined>,
  refresh: (sites: readonly Site[]) => Promise<boolean>,
  lookedAt: () => readonly Site[],
): Promise<Confirmation> {
  let sites = lookedAt()
  await refresh(sites)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const findings: Finding[] = []
    let looks = 0
    while (findings.length < requiredConfirmations && looks - findings.length <= allowedMisses) {
      const finding = await again()
      looks++
      if (finding !== undefined) findings.push(finding)
    }
    const also = lookedAt()
    const isNew = also.some(({ id }) => !sites.some(site => site.id === id))
    sites = [...new Map([...sites, ...also].map(site => [site.id, site])).values()]
    const changed = await refresh(sites)
    if (changed || isNew) continue
    const finding = findings.at(-1)
    if (finding === undefined || findings.length < requiredConfirmations) return { kind: 'flaky' }
    const data = sites.length === 0 ? '' : ', the data unchanged before and after'
    return { kind: 'confirmed', finding, how: `seen again ${findings.length} of ${looks} times${data}` }
  }
  return { kind: 'unstable' }
}
