import type { FilterDocument, QueryOptionsDocument, SupportWord } from '../../../spec/language/index.js'
import {
  memberOf,
  numberOf,
  passOver,
  type RecordValue,
  recordsOf,
  textOf,
  textsOf,
  type Value,
} from '../annotations/value.js'
import { compact } from '../spec/compact.js'
import { oneOf } from '../spec/one-of.js'
import { saidIn } from './said-in.js'
import { tableOf } from './table-of.js'

/** One entry of `Specwright.QueryOptions`, with every default written out. */
export function ownQueryOptions(value: RecordValue): QueryOptionsDocument {
  const requires = recordsOf(memberOf(value, 'Requires'))
  return compact({
    ...saidIn(value),
    select: supported(memberOf(value, 'Select')),
    filter: filter(memberOf(value, 'Filter')),
    orderby: orderby(memberOf(value, 'Orderby')),
    expand: expand(memberOf(value, 'Expand')),
    top: top(memberOf(value, 'Top')),
    skip: supported(memberOf(value, 'Skip')),
    count: supported(memberOf(value, 'Count')),
    search: search(memberOf(value, 'Search')),
    requires: requires.length === 0 ? undefined : requires.map(condition),
  })
}

function supportOf(value: Value | undefined): SupportWord {
  return oneOf(textOf(memberOf(value, 'Support')), ['required', 'optional'] as const) ?? 'none'
}

/** What is `none` need not be said. */
function supported(value: Value | undefined): SupportWord | undefined {
  return oneOf(textOf(value), ['required', 'optional'] as const)
}

function supports(value: Value | undefined): Readonly<Record<string, SupportWord>> {
  return tableOf(recordsOf(value).map(each => [textOf(memberOf(each, 'Name')) ?? '', supportOf(each)] as const))
}

function filter(value: Value | undefined): FilterDocument | undefined {
  const support = supportOf(value)
  if (support === 'none') return passOver(value)
  const properties = recordsOf(memberOf(value, 'Properties')).map(property => {
    const operators = textsOf(memberOf(property, 'Operators'))
    const functions = textsOf(memberOf(property, 'Functions'))
    const word = supportOf(property)
    const isPlain = operators === undefined && functions === undefined
    return [
      textOf(memberOf(property, 'Name')) ?? '',
      isPlain ? word : compact({ support: word, operators, functions }),
    ] as const
  })
  return compact({
    support,
    operators: supports(memberOf(value, 'Operators')),
    functions: supports(memberOf(value, 'Functions')),
    lambdas: supports(memberOf(value, 'Lambdas')),
    properties: properties.length === 0 ? undefined : tableOf(properties),
    maxNodes: numberOf(memberOf(value, 'MaxNodes')),
  })
}

function orderby(value: Value | undefined): QueryOptionsDocument['orderby'] {
  const support = supportOf(value)
  const [only, exceptions] = [textsOf(memberOf(value, 'Only')), recordsOf(memberOf(value, 'Properties'))]
  const properties = only ?? (exceptions.length === 0 ? undefined : supports(exceptions))
  const maxKeys = numberOf(memberOf(value, 'MaxKeys'))
  if (properties === undefined && maxKeys === undefined) return support === 'none' ? undefined : support
  return compact({ support, properties, maxKeys })
}

const nestable = ['select', 'expand', 'filter', 'orderby', 'top', 'skip', 'count', 'search', 'levels'] as const

function expand(value: Value | undefined): QueryOptionsDocument['expand'] {
  const support = supportOf(value)
  if (support === 'none') return passOver(value)
  return compact({
    support,
    relations: supports(memberOf(value, 'Relations')),
    maxDepth: numberOf(memberOf(value, 'MaxDepth')),
    nested: (textsOf(memberOf(value, 'Nested')) ?? []).flatMap(word => oneOf(word, nestable) ?? []),
  })
}

function top(value: Value | undefined): QueryOptionsDocument['top'] {
  const support = supportOf(value)
  const [pageSize, max] = [numberOf(memberOf(value, 'Default')), numberOf(memberOf(value, 'Max'))]
  const above = oneOf(textOf(memberOf(value, 'Above')), ['error', 'clamp', 'open'] as const)
  const min = numberOf(memberOf(value, 'Min')) === 1 ? (1 as const) : undefined
  if (support === 'none' && pageSize === undefined && max === undefined) return undefined
  return compact({ support, default: pageSize, max, above, min })
}

function search(value: Value | undefined): QueryOptionsDocument['search'] {
  const support = supportOf(value)
  if (support === 'none') return passOver(value)
  return compact({
    support,
    syntax: oneOf(textOf(memberOf(value, 'Syntax')), ['propertyTerms', 'words'] as const),
    join: (textsOf(memberOf(value, 'Join')) ?? []).flatMap(word => oneOf(word, ['OR', 'AND', 'NOT'] as const) ?? []),
    properties: textsOf(memberOf(value, 'Properties')),
  })
}

function condition(value: RecordValue): NonNullable<QueryOptionsDocument['requires']>[number] {
  const header = tableOf([[textOf(memberOf(value, 'Header')) ?? '', textOf(memberOf(value, 'Value')) ?? '']])
  return compact({
    when: textsOf(memberOf(value, 'When')) ?? [],
    header,
    otherwise: textOf(memberOf(value, 'Otherwise')) ?? '',
    open: textOf(memberOf(value, 'Open')),
    ...saidIn(value),
  })
}
