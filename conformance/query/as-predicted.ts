import type { QueryOptions } from '../../runtime/query/index.js'
import type { Verdict } from '../rule/verdict.js'
import { type Prediction, predict } from '../semantics/predict.js'
import type { Session } from '../session/session.js'
import { shareOf } from '../site/share-of.js'
import type { Site } from '../site/site.js'
import { filterFinding } from './filter-finding.js'
import { filtered } from './filtered.js'

/** What was predicted of a filter that gave just that, or why there is more or less to say. */
type Agreement =
  | {
      readonly kind: 'agreed'
      readonly prediction: Prediction
      /** Of the collection. */
      readonly rows: number
      /** Share of these that the filter gave, or must give where not all that it gave was read. */
      readonly selected: number
    }
  | { readonly kind: 'ended'; readonly verdict: Verdict }

/** Asks for the rows of a filter, and holds them to our own evaluation over the harvested ones. */
export async function asPredicted(options: QueryOptions | undefined, site: Site, session: Session): Promise<Agreement> {
  const snapshot = session.snapshot(site)
  if (options?.filter === undefined) return ended({ kind: 'pass', trivial: true })
  if (snapshot === undefined) return ended({ kind: 'inconclusive', why: 'the collection could not be read' })
  const answer = await filtered(site, session, options)
  if (answer.kind === 'ended') return answer
  const prediction = predict(options.filter, snapshot, session)
  const finding = filterFinding(options.filter, answer, prediction, snapshot, session)
  if (finding !== undefined) return ended({ kind: 'fail', finding })
  const selected = shareOf(answer.isWhole ? answer.keys.size : prediction.must.size, snapshot)
  return { kind: 'agreed', prediction, rows: snapshot.rows.length, selected }
}

function ended(verdict: Verdict): Agreement {
  return { kind: 'ended', verdict }
}
