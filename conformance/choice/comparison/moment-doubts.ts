import type { Expression, PathExpression } from '../../../runtime/query/index.js'
import { binary, pathTo } from '../../query/build.js'
import { grammarOf } from '../../query/grammar.js'
import { literalOf } from '../../query/literal-of.js'
import { observed } from '../../query/observed.js'
import { valueAt } from '../../query/value-at.js'
import { hasPart } from '../../query/wrong/rewrite.js'
import { truthOn } from '../../semantics/evaluate.js'
import { subjectOf } from '../../semantics/predict.js'
import type { Subject } from '../../semantics/subject.js'
import type { Session } from '../../session/session.js'
import { keyOf } from '../../site/key-of.js'
import type { Site } from '../../site/site.js'
import type { MomentQuestion } from './moment-question.js'

/** Moments of each property that are asked for when an answer is suspected. */
const mostDoubts = 6

/** Asks, one at a time, for the moments on which a filter would go otherwise if they were kept finer. */
export function momentDoubts(filter: Expression, site: Site, session: Session): readonly MomentQuestion[] {
  const { type } = site
  const snapshot = session.snapshot(site)
  const grammar = grammarOf(site, session)
  if (type === undefined || snapshot === undefined || grammar === undefined) return []
  const subject = subjectOf(snapshot, session)
  const finer: Subject = {
    ...subject,
    read: new Map(),
    laws: { ...subject.laws, instantsAreFiner: { possible: true, certain: false } },
  }
  const [asShown, asFiner] = [truthOn(filter, subject), truthOn(filter, finer)]
  const doubtful = snapshot.rows.filter(row => asShown(row) !== asFiner(row))
  return grammar.terms
    .filter(term => term.type === 'Edm.DateTimeOffset' && readsPath(filter, term.path))
    .flatMap(({ path }) =>
      observed(doubtful, path)
        .slice(0, mostDoubts)
        .flatMap((value): MomentQuestion[] => {
          const literal = literalOf('Edm.DateTimeOffset', value, session)
          if (literal === undefined) return []
          const rows = snapshot.rows.filter(row => valueAt(row, path) === value)
          return [
            {
              site,
              filter: binary('eq', pathTo(path), literal),
              keys: new Set(rows.flatMap(row => keyOf(row, type) ?? [])),
            },
          ]
        }),
    )
}

function readsPath(filter: Expression, path: readonly string[]): boolean {
  const wanted = path.join('/')
  return hasPart(filter, part => part.kind === 'path' && part.segments.map(segmentName).join('/') === wanted)
}

function segmentName(segment: PathExpression['segments'][number]): string {
  return segment.kind === 'property' ? segment.name : ''
}
