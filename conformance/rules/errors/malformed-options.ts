import type { Case } from '../../rule/case.js'
import { filterable } from '../../rule/filterable.js'
import { quoted } from '../../rule/quoted.js'
import type { Session } from '../../session/session.js'
import type { Site } from '../../site/site.js'

/**
 * Values of query options that no grammar can read, for the options that an endpoint takes: one of each option first, the
 * most telling of it. `text` is the value, `name` the option without `$`.
 */
export function malformedOptions(site: Site, session: Session): readonly Case[] {
  const { endpoint } = site
  if (!('query' in endpoint) || endpoint.query === undefined) return []
  const { filter, orderby, expand, top, skip, count } = endpoint.query
  const supported: readonly (readonly Case[])[] = [
    filter.support === 'none' ? [] : filters(site, session),
    top.support === 'none' ? [] : numbers('top'),
    orderby.support === 'none' ? [] : orders(site),
    skip === 'none' ? [] : numbers('skip'),
    count === 'none' ? [] : [{ name: 'count', variant: 'no Boolean', text: 'maybe' }],
    expand.support === 'none' ? [] : expansions(site),
  ]
  const longest = Math.max(...supported.map(cases => cases.length))
  const inTurn = Array.from({ length: longest }, (_, index) => supported.flatMap(cases => cases[index] ?? []))
  return inTurn.flat()
}

function numbers(name: 'top' | 'skip'): readonly Case[] {
  return [
    { name, variant: 'no number', text: 'many' },
    { name, variant: 'negative', text: '-1' },
    { name, variant: 'fraction', text: '1.5' },
  ]
}

function filters(site: Site, session: Session): readonly Case[] {
  const name = 'filter'
  const text = filterable(site, session, 'String')[0]?.name
  const flag = filterable(site, session, 'Boolean')[0]?.name
  const instant = filterable(site, session, 'DateTimeOffset', 'Date')[0]?.name
  const number = filterable(site, session, 'Int16', 'Int32', 'Int64', 'Decimal', 'Double')[0]?.name
  if (text === undefined) return [{ name, variant: 'no expression', text: '(' }]
  const cases: readonly (Case | undefined)[] = [
    { name, variant: 'text without end', text: `${text} eq 'a` },
    { name, variant: 'unknown operator', text: `${text} resembles 'a'` },
    mayHaveOthers(site) ? undefined : { name, variant: 'unknown property', text: `specwrightNoSuch eq 'a'` },
    { name, variant: 'operand missing', text: `${text} eq` },
    instant === undefined ? undefined : { name, variant: 'literal of another type', text: `${instant} gt 'banana'` },
    { name, variant: 'parenthesis without end', text: `(${text} eq 'a'` },
    { name, variant: 'unknown function', text: `resembles(${text},${quoted('a')})` },
    { name, variant: 'operator without right side', text: `${text} eq 'a' and` },
    flag === undefined ? undefined : { name, variant: 'literal of another type', text: `${flag} eq 'banana'` },
    number === undefined ? undefined : { name, variant: 'literal of another type', text: `${number} gt 'banana'` },
    { name, variant: 'no truth value', text: `'a'` },
    { name, variant: 'two expressions', text: `${text} eq 'a' ${text} eq 'b'` },
  ]
  return cases.filter(each => each !== undefined)
}

/** Items of open types have properties of any name. */
function mayHaveOthers({ type }: Site): boolean {
  return type?.open === true
}

function orders({ type }: Site): readonly Case[] {
  const property = type?.key[0]?.name
  if (property === undefined) return []
  return [{ name: 'orderby', variant: 'no direction', text: `${property} sideways` }]
}

function expansions(site: Site): readonly Case[] {
  const { endpoint } = site
  const relations = 'query' in endpoint ? Object.entries(endpoint.query?.expand.relations ?? {}) : []
  const relation = relations.find(([, support]) => support !== 'none')?.[0]
  return [
    { name: 'expand', variant: 'unknown relation', text: 'specwrightNoSuch' },
    ...(relation === undefined
      ? []
      : [{ name: 'expand', variant: 'parenthesis without end', text: `${relation}($select=` }]),
  ]
}
