import type { Expression, Literal } from '../../runtime/query/index.js'
import type { Site } from '../discover/site.js'
import { listSites } from '../lists/related-items.js'
import { binary, call, not, nullLiteral, pathTo, stringLiteral } from '../probes/expressions.js'
import { grammarOf } from '../probes/grammar.js'
import { literalOf, observedValues, valueAt } from '../probes/observed-values.js'
import { queryKeys } from '../probes/query-keys.js'
import type { Session } from '../session/session.js'
import type { Calibrator } from './calibrator.js'
import type { ChoiceProbe, ProbeContext, RowProbe } from './row-probes.js'
import { scopeOf } from './scope.js'

/**
 * `p ne v` and `not (p eq v)` where `p` is null: two-valued logic returns the row, three-valued logic does not. A
 * service that treats the two differently is inconsistent.
 */
export const nullEquality: ChoiceProbe = {
  choice: 'nullEquality',
  inconsistency: 'eq and ne must treat null with the same logic',
  features: ['filter.eq', 'filter.ne', 'null'],
  *probes(context) {
    if (!context.grammar.has('not')) return
    yield* nullProbes(
      context,
      (_type, allows) => allows('eq'),
      (term, value) => not(binary('eq', term, value)),
    )
  },
  alternative: context =>
    nullProbes(
      context,
      (_type, allows) => allows('ne'),
      (term, value) => binary('ne', term, value),
    ),
}

/** Probes on rows in which a property is null. They compare the property with a value from another row. */
function* nullProbes(
  context: ProbeContext,
  isOfUse: (type: string, allows: (construct: string) => boolean) => boolean,
  ask: (term: Expression, value: Expression) => Expression,
): Generator<RowProbe> {
  const { rows } = context.snapshot
  const usable = context.terms.filter(({ type, allows, path }) => path.length === 1 && isOfUse(type, allows))
  for (let round = 0; round < 6; round++) {
    for (const { path, type } of usable) {
      const [value] = observedValues(rows, path)
      const literal = value === undefined ? undefined : literalOf(type, value, context.session)
      const row = rows.filter(each => isShownNull(each, path))[round]
      if (literal === undefined || row === undefined) continue
      yield { row, predicate: ask(pathTo(path), literal), valueIfPresent: 'twoValued', valueIfAbsent: 'threeValued' }
    }
  }
}

function isShownNull(row: object, path: readonly string[]): boolean {
  const [name] = path
  return name !== undefined && Object.hasOwn(row, name) && valueAt(row, path) === null
}

/** `not (p gt v)` where `p` is null: two-valued logic returns the row. */
export const nullRelational: ChoiceProbe = {
  choice: 'nullRelational',
  *probes(context) {
    if (!context.grammar.has('not')) return
    const isOfUse = (type: string, allows: (construct: string) => boolean): boolean =>
      allows('gt') && orderedTypes.has(type)
    yield* nullProbes(context, isOfUse, (term, value) => not(binary('gt', term, value)))
  },
}

const orderedTypes: ReadonlySet<string> = new Set([
  ...['Edm.String', 'Edm.DateTimeOffset', 'Edm.Date', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64', 'Edm.Decimal'],
])

/** `not startswith(p,v)` where `p` is null: two-valued logic returns the row. */
export const nullFunction: ChoiceProbe = {
  choice: 'nullFunction',
  *probes(context) {
    if (!context.grammar.has('not')) return
    const name = ['startswith', 'endswith', 'contains'].find(context.grammar.has)
    if (name === undefined) return
    const isOfUse = (type: string, allows: (construct: string) => boolean): boolean =>
      type === 'Edm.String' && allows(name)
    yield* nullProbes(context, isOfUse, (term, value) => not(call(name, term, value)))
  },
}

/** `p eq null` where `p` is the empty string. */
export const emptyString: ChoiceProbe = {
  choice: 'emptyString',
  *probes({ terms, snapshot }) {
    for (const { path, type } of terms) {
      if (type !== 'Edm.String') continue
      for (const row of snapshot.rows.filter(each => valueAt(each, path) === '').slice(0, 2)) {
        yield {
          row,
          predicate: binary('eq', pathTo(path), nullLiteral),
          valueIfPresent: 'null',
          valueIfAbsent: 'distinct',
        }
      }
    }
  },
}

/** `p eq null` where a row omits `p` although it was selected. */
export const absentProperty: ChoiceProbe = {
  choice: 'absentProperty',
  *probes({ terms, snapshot }) {
    for (const { path } of terms) {
      const [name, ...others] = path
      if (name === undefined || others.length > 0 || !snapshot.properties.has(name)) continue
      for (const row of snapshot.rows.filter(each => !Object.hasOwn(each, name)).slice(0, 2)) {
        yield {
          row,
          predicate: binary('eq', pathTo(path), nullLiteral),
          valueIfPresent: 'null',
          valueIfAbsent: 'distinct',
        }
      }
    }
  },
}

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
