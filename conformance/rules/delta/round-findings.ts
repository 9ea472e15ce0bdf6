import { keyOf, type Site } from '../../discover/site.js'
import { mayHideValues } from '../../lists/properties.js'
import { describeDifference, rowDifferences } from '../../lists/values.js'
import { describeResponse } from '../../rule/response.js'
import type { Finding } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { type DeltaRound, isRemoved } from './delta-round.js'

export function noDeltaLinkFinding({ pages }: DeltaRound): Finding {
  const last = pages.at(-1)
  return {
    message: 'A round of a delta query does not end with a delta link.',
    expected: 'next links that lead to a last page with a delta link',
    received: last === undefined ? 'nothing' : describeResponse(last),
    answers: last === undefined ? [] : [last],
    features: ['delta.links'],
  }
}

/** A finding if a first round does not report exactly the items of the collection. */
export function completenessFinding(round: DeltaRound, tracked: Site, session: Session): Finding | undefined {
  const snapshot = session.snapshot(tracked)
  const { type } = tracked
  if (snapshot === undefined || type === undefined) return undefined
  const reportedKeys = new Set(round.rows.filter(row => !isRemoved(row)).map(row => keyOf(row, type)))
  const missing = [...snapshot.byKey.keys()].filter(key => !reportedKeys.has(key))
  const surplus = [...reportedKeys].filter(key => key !== undefined).filter(key => !snapshot.byKey.has(key))
  if (snapshot.complete && missing.length + surplus.length > 0) {
    return {
      message: 'The first round of a delta query does not report exactly the items of the collection.',
      expected: `${snapshot.byKey.size} items`,
      received: `${reportedKeys.size} items`,
      missing,
      surplus,
      answers: round.pages,
      features: ['delta.first', ...(missing.length > 0 ? ['missing'] : []), ...(surplus.length > 0 ? ['surplus'] : [])],
    }
  }
  return contentFinding(round, tracked, session)
}

/** A finding if a round reports something untrue. */
export function contentFinding(round: DeltaRound, tracked: Site, session: Session): Finding | undefined {
  const snapshot = session.snapshot(tracked)
  const { type } = tracked
  if (snapshot === undefined || type === undefined) return undefined
  // An item may be reported more than once: the last report counts.
  const latest = new Map(
    round.rows.flatMap(row => {
      const key = keyOf(row, type)
      return key === undefined ? [] : [[key, row] as const]
    }),
  )
  for (const [key, row] of latest) {
    const known = snapshot.byKey.get(key)
    if (known === undefined) continue
    if (isRemoved(row)) {
      return {
        message: 'A delta query reports an existing item as removed.',
        expected: `the item with the key ${key}`,
        received: JSON.stringify(row),
        surplus: [key],
        answers: round.pages,
        features: ['delta.removed'],
      }
    }
    const differences = rowDifferences(known, row, type, session.service, { mayBeNull: mayHideValues(session) })
    if (differences.length === 0) continue
    return {
      message: 'A delta query returns other values for an item than the collection.',
      expected: 'the values of the collection',
      received: differences.map(({ property }) => property.name).join(', '),
      why: differences.map(difference => describeDifference(difference, 'in the collection', 'in the delta query')),
      answers: round.pages,
      features: ['delta.values'],
    }
  }
  return undefined
}
