import type { Expression, Literal } from '../../../runtime/query/index.js'
import { binary, pathTo, text } from '../../query/build.js'
import { filtered } from '../../query/filtered.js'
import { grammarOf } from '../../query/grammar.js'
import { observed } from '../../query/observed.js'
import { listSites } from '../../reading/list-sites.js'
import type { Session } from '../../session/session.js'
import type { Site } from '../../site/site.js'
import type { Calibrator } from '../calibrator.js'

/** Asks for a Guid that a row shows, once quoted and once bare. */
export const guidLiteral: Calibrator = {
  choice: 'guidLiteral',
  learn: async session => {
    const found = findGuid(session)
    if (found === undefined) return { kind: 'undecided', why: 'no row shows a Guid that a filter may read' }
    const { site, value, ask } = found
    const bare: Literal = { kind: 'literal', type: 'Guid', value: value.toLowerCase() }
    const reads = async (literal: Literal): Promise<boolean> => {
      const answer = await filtered(site, session, { filter: ask(literal) }, {}, 1)
      return answer.kind === 'keys' && answer.keys.size > 0
    }
    const takesBare = await reads(bare)
    const takesQuoted = await reads(text(value))
    const witnesses = [
      `${site.path}: a bare Guid ${takesBare ? 'finds' : 'does not find'} its row`,
      `${site.path}: a quoted Guid ${takesQuoted ? 'finds' : 'does not find'} its row`,
    ]
    if (!takesBare && !takesQuoted) return { kind: 'undecided', why: 'neither way finds the row', witnesses }
    return { kind: 'learned', value: takesBare ? (takesQuoted ? 'both' : 'bare') : 'quoted', witnesses }
  },
}

interface Found {
  readonly site: Site
  readonly value: string
  readonly ask: (literal: Literal) => Expression
}

function findGuid(session: Session): Found | undefined {
  for (const site of listSites(session, query => query.filter.support !== 'none')) {
    const grammar = grammarOf(site, session)
    const rows = session.snapshot(site)?.rows ?? []
    if (grammar === undefined) continue
    for (const { path, type } of grammar.terms) {
      const value = type === 'Edm.Guid' ? observed(rows, path).find(isText) : undefined
      if (value !== undefined) return { site, value, ask: literal => binary('eq', pathTo(path), literal) }
    }
    for (const { path, items } of grammar.collections) {
      const item = items.find(({ type }) => type === 'Edm.Guid')
      const value = item && observed(rows, [...path, ...item.path]).find(isText)
      if (item === undefined || value === undefined) continue
      const ask = (literal: Literal): Expression => ({
        kind: 'lambda',
        operator: 'any',
        collection: pathTo(path),
        variable: 'x',
        predicate: binary('eq', pathTo(item.path, 'x'), literal),
      })
      return { site, value, ask }
    }
  }
  return undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
