import type { Site } from '../discover/site.js'
import type { Finding } from '../rule/rule.js'

/** How a suspicion ended. */
export type Confirmation =
  | { readonly kind: 'confirmed'; readonly finding: Finding; readonly how: string }
  /** Not seen again, the data unchanged. */
  | { readonly kind: 'flaky' }
  /** The data changed each time. */
  | { readonly kind: 'unstable' }

/** How often a fault must be seen again between two readings, and how often it may not be: some faults come and go. */
const requiredConfirmations = 2
const allowedMisses = 1
/** How often that is tried while the data change. */
const maxAttempts = 6

/**
 * Looks again, between two equal readings of the data, so that somebody else's change is never taken for a fault.
 *
 * @param again runs the check; what it found, if it was the same
 * @param refresh reads the collections again, and says whether they had changed
 * @param lookedAt the collections that the check looked at
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
