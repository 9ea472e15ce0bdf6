import type { Expression, Literal } from '../../runtime/query/index.js'
import type { Site } from '../discover/site.js'
import { listSites } from '../lists/related-items.js'
import { binary, pathTo, stringLiteral } from '../probes/expressions.js'
import { grammarOf } from '../probes/grammar.js'
import { observedValues, valueAt } from '../probes/observed-values.js'
import { queryKeys } from '../probes/query-keys.js'
import type { Session } from '../session/session.js'
import type { Calibrator } from './calibrator.js'
import type { ChoiceProbe } from './row-probes.js'
import { scopeOf } from './scope.js'

/** Filters by a GUID, once quoted and once bare. */
export const guidLiteral: Calibrator = {
  choice: 'guidLiteral',
  learn: async session => {
    const found = findGuid(session)
    if (found === undefined) return { kind: 'undecided', why: 'no row has a GUID property that can be filtered' }
    const { site, value, filterFor } = found
    const bare: Literal = { kind: 'literal', type: 'Guid', value: value.toLowerCase() }
    const reads = async (literal: Literal): Promise<boolean> => {
      const answer = await queryKeys(site, session, { filter: filterFor(literal) }, {}, 1)
      return answer.kind === 'keys' && answer.keys.size > 0
    }
    const takesBare = await reads(bare)
    const takesQuoted = await reads(stringLiteral(value))
    const evidence = [
      `${site.path}: a bare GUID ${takesBare ? 'finds' : 'does not find'} its row`,
      `${site.path}: a quoted GUID ${takesQuoted ? 'finds' : 'does not find'} its row`,
    ]
    if (!takesBare && !takesQuoted) return { kind: 'undecided', why: 'neither form finds the row', evidence }
    const form = takesBare ? (takesQuoted ? 'both' : 'bare') : 'quoted'
    return { kind: 'learned', chosen: [{ value: form, scope: scopeOf(site) }], evidence }
  },
}

interface GuidFilter {
  readonly site: Site
  readonly value: string
  readonly filterFor: (literal: Literal) => Expression
}

function findGuid(session: Session): GuidFilter | undefined {
  for (const site of listSites(session, query => query.filter.support !== 'none')) {
    const grammar = grammarOf(site, session)
    const rows = session.snapshot(site)?.rows ?? []
    if (grammar === undefined) continue
    for (const { path, type } of grammar.terms) {
      const value = type === 'Edm.Guid' ? observedValues(rows, path).find(isGuid) : undefined
      if (value !== undefined) return { site, value, filterFor: literal => binary('eq', pathTo(path), literal) }
    }
    for (const { path, items } of grammar.collections) {
      const item = items.find(({ type }) => type === 'Edm.Guid')
      const value = item && observedValues(rows, [...path, ...item.path]).find(isGuid)
      if (item === undefined || value === undefined) continue
      const ask = (literal: Literal): Expression => ({
        kind: 'lambda',
        operator: 'any',
        collection: pathTo(path),
        variable: 'x',
        predicate: binary('eq', pathTo(item.path, 'x'), literal),
      })
      return { site, value, filterFor: ask }
    }
  }
  return undefined
}

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function isGuid(value: unknown): value is string {
  return typeof value === 'string' && guid.test(value)
}

/** `p gt 'member'` where the order of the members' values differs from that of their names. */
export const enumOrder: ChoiceProbe = {
  choice: 'enumOrder',
  *probes({ terms, snapshot, session }) {
    for (const { path, type, allows, isFlags } of terms) {
      const info = Object.hasOwn(session.types, type) ? session.types[type] : undefined
      if (info?.kind !== 'enumType' || isFlags || !allows('gt')) continue
      for (const row of snapshot.rows) {
        const member = valueAt(row, path)
        if (typeof member !== 'string' || !Object.hasOwn(info.members, member)) continue
        const number = info.members[member] ?? 0
        const other = Object.entries(info.members).find(
          ([name, value]) => name !== member && number > value !== member > name,
        )
        if (other === undefined) continue
        const [name, value] = other
        const isGreater = number > value
        yield {
          row,
          predicate: binary('gt', pathTo(path), stringLiteral(name)),
          valueIfPresent: isGreater ? 'value' : 'name',
          valueIfAbsent: isGreater ? 'name' : 'value',
        }
      }
    }
  },
}
