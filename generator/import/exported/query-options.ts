import {
  expandOptionNames,
  type FilterDocument,
  type QueryOptionsDocument,
  type SupportWord,
  transformationNames,
} from '../../../spec/language/index.js'
import {
  type AnnotationValue,
  ignoreMembers,
  memberOf,
  numberOf,
  type RecordValue,
  recordsOf,
  textOf,
  textsOf,
} from '../csdl/csdl-element.js'
import { compact, oneOf, safeRecord } from '../spec-document.js'
import { descriptionOfRecord } from './chapters.js'

/** One entry of `Specwright.QueryOptions`, with every default written out. */
export function exportedQueryOptions(value: RecordValue): QueryOptionsDocument {
  const requires = recordsOf(memberOf(value, 'Requires'))
  return compact({
    ...descriptionOfRecord(value),
    select: supported(memberOf(value, 'Select')),
    filter: filter(memberOf(value, 'Filter')),
    orderby: orderby(memberOf(value, 'Orderby')),
    expand: expand(memberOf(value, 'Expand')),
    top: top(memberOf(value, 'Top')),
    skip: supported(memberOf(value, 'Skip')),
    count: supported(memberOf(value, 'Count')),
    compute: supported(memberOf(value, 'Compute')),
    apply: apply(memberOf(value, 'Apply')),
    search: search(memberOf(value, 'Search')),
    requires: requires.length === 0 ? undefined : requires.map(condition),
  })
}

function supportOf(value: AnnotationValue | undefined): SupportWord {
  return oneOf(textOf(memberOf(value, 'Support')), ['required', 'optional'] as const) ?? 'none'
}

/** `none` need not be written. */
function supported(value: AnnotationValue | undefined): SupportWord | undefined {
  return oneOf(textOf(value), ['required', 'optional'] as const)
}

function supports(value: AnnotationValue | undefined): Readonly<Record<string, SupportWord>> {
  return safeRecord(recordsOf(value).map(each => [textOf(memberOf(each, 'Name')) ?? '', supportOf(each)] as const))
}

function filter(value: AnnotationValue | undefined): FilterDocument | undefined {
  const support = supportOf(value)
  if (support === 'none') return ignoreMembers(value)
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
    properties: properties.length === 0 ? undefined : safeRecord(properties),
    maxNodes: numberOf(memberOf(value, 'MaxNodes')),
  })
}

function orderby(value: AnnotationValue | undefined): QueryOptionsDocument['orderby'] {
  const support = supportOf(value)
  const [only, exceptions] = [textsOf(memberOf(value, 'Only')), recordsOf(memberOf(value, 'Properties'))]
  const properties = only ?? (exceptions.length === 0 ? undefined : supports(exceptions))
  const maxKeys = numberOf(memberOf(value, 'MaxKeys'))
  if (properties === undefined && maxKeys === undefined) return support === 'none' ? undefined : support
  return compact({ support, properties, maxKeys })
}

function expand(value: AnnotationValue | undefined): QueryOptionsDocument['expand'] {
  const support = supportOf(value)
  if (support === 'none') return ignoreMembers(value)
  const scopes = recordsOf(memberOf(value, 'Scopes'))
  const relations = memberOf(value, 'Relations')
  return compact({
    support,
    relations: relations === undefined ? undefined : supports(relations),
    maxDepth: numberOf(memberOf(value, 'MaxDepth')),
    nested: (textsOf(memberOf(value, 'Nested')) ?? []).flatMap(word => oneOf(word, expandOptionNames) ?? []),
    scopes: scopes.length === 0 ? undefined : expandScopes(scopes),
  })
}

function expandScopes(scopes: readonly RecordValue[]): Readonly<Record<string, readonly string[]>> {
  return safeRecord(scopes.map(of => [textOf(memberOf(of, 'Name')) ?? '', textsOf(memberOf(of, 'Scopes')) ?? []]))
}

function top(value: AnnotationValue | undefined): QueryOptionsDocument['top'] {
  const support = supportOf(value)
  const [pageSize, max] = [numberOf(memberOf(value, 'Default')), numberOf(memberOf(value, 'Max'))]
  const above = oneOf(textOf(memberOf(value, 'Above')), ['error', 'clamp', 'open'] as const)
  const min = numberOf(memberOf(value, 'Min')) === 1 ? (1 as const) : undefined
  if (support === 'none' && pageSize === undefined && max === undefined) return undefined
  return compact({ support, default: pageSize, max, above, min })
}

function apply(value: AnnotationValue | undefined): QueryOptionsDocument['apply'] {
  const support = supportOf(value)
  if (support === 'none') return ignoreMembers(value)
  return compact({
    support,
    transformations: textsOf(memberOf(value, 'Transformations'))?.flatMap(
      name => oneOf(name, transformationNames) ?? [],
    ),
    rollup: memberOf(value, 'Rollup') === true,
    groupable: textsOf(memberOf(value, 'Groupable')),
    aggregatable: textsOf(memberOf(value, 'Aggregatable')),
  })
}

function search(value: AnnotationValue | undefined): QueryOptionsDocument['search'] {
  const support = supportOf(value)
  if (support === 'none') return ignoreMembers(value)
  return compact({
    support,
    syntax: oneOf(textOf(memberOf(value, 'Syntax')), ['propertyTerms', 'words'] as const),
    join: (textsOf(memberOf(value, 'Join')) ?? []).flatMap(word => oneOf(word, ['OR', 'AND', 'NOT'] as const) ?? []),
    properties: textsOf(memberOf(value, 'Properties')),
  })
}

function condition(value: RecordValue): NonNullable<QueryOptionsDocument['requires']>[number] {
  const header = safeRecord([[textOf(memberOf(value, 'Header')) ?? '', textOf(memberOf(value, 'Value')) ?? '']])
  return compact({
    when: textsOf(memberOf(value, 'When')) ?? [],
    header,
    otherwise: textOf(memberOf(value, 'Otherwise')) ?? '',
    open: textOf(memberOf(value, 'Open')),
    ...descriptionOfRecord(value),
  })
}
