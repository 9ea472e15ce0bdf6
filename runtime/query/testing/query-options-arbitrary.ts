import fc from 'fast-check'
import type { ExpandItem, Expression, OrderbyItem, QueryOptions, SelectItem } from '../ast.js'
import {
  countOptions,
  expandOptions,
  type NestedOptionNames,
  type OptionName,
  referenceOptions,
  selectOptions,
  starOptions,
} from '../nested-options.js'
import {
  annotationNameArbitrary,
  expressionArbitrary,
  nameArbitrary,
  qualifiedNameArbitrary,
  searchArbitrary,
  textArbitrary,
} from './expression-arbitrary.js'

const topOptions: NestedOptionNames = {
  names: [...expandOptions.names.filter(name => name !== 'levels'), 'format', 'skiptoken', 'deltatoken'],
  aliases: true,
}

const expression = expressionArbitrary(2)
const integer = fc.oneof(fc.nat(999), fc.constant(Number.MAX_SAFE_INTEGER))
const token = textArbitrary.filter(text => text !== '')
const orderbyItem: fc.Arbitrary<OrderbyItem> = fc.record({
  expression,
  direction: fc.constantFrom('asc' as const, 'desc' as const),
})

/** The options of one level, with everything that the grammar allows in them. */
function optionsArbitrary({ names, aliases }: NestedOptionNames, depth: number): fc.Arbitrary<QueryOptions> {
  const values: { readonly [Name in OptionName]: () => fc.Arbitrary<NonNullable<QueryOptions[Name]>> } = {
    filter: () => expression,
    orderby: () => fc.array(orderbyItem, { minLength: 1, maxLength: 3 }),
    select: () => fc.array(selectItemArbitrary(depth), { minLength: 1, maxLength: 3 }),
    expand: () => fc.array(expandItemArbitrary(depth), { minLength: 1, maxLength: 3 }),
    search: () => searchArbitrary,
    compute: () => fc.array(fc.record({ expression, alias: nameArbitrary }), { minLength: 1, maxLength: 2 }),
    top: () => integer,
    skip: () => integer,
    count: () => fc.boolean(),
    levels: () => fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant('max' as const)),
    format: () => token,
    skiptoken: () => token,
    deltatoken: () => token,
  }
  const model: Record<string, fc.Arbitrary<unknown>> = {}
  for (const name of names) model[name] = values[name]()
  const record: fc.Arbitrary<QueryOptions> = fc.record(model, { requiredKeys: [] })
  return aliases ? fc.tuple(record, aliasesArbitrary()).map(([options, given]) => ({ ...options, ...given })) : record
}

function aliasesArbitrary(): fc.Arbitrary<Pick<QueryOptions, 'aliases'>> {
  return fc.array(fc.tuple(nameArbitrary, expression), { maxLength: 2 }).map(entries => {
    if (entries.length === 0) return {}
    const aliases: Record<string, Expression> = Object.create(null)
    for (const [name, value] of entries) aliases[name] = value
    return { aliases }
  })
}

function isGiven(options: QueryOptions): boolean {
  return Object.keys(options).length > 0
}

function selectItemArbitrary(depth: number): fc.Arbitrary<SelectItem> {
  const name = fc.oneof(nameArbitrary, qualifiedNameArbitrary, annotationNameArbitrary)
  const path = fc.array(name, { minLength: 1, maxLength: 3 })
  const plain: fc.Arbitrary<SelectItem> = fc.oneof(
    path.map(names => ({ path: names })),
    fc.constant({ path: ['*'] }),
    qualifiedNameArbitrary.map(qualified => ({ path: [`${qualified}.*`] })),
    fc
      .tuple(qualifiedNameArbitrary, nameArbitrary, nameArbitrary)
      .map(([fn, a, b]) => ({ path: [`${fn}(${a},${b})`] })),
  )
  if (depth === 0) return plain
  const nested = fc
    .tuple(path, optionsArbitrary(selectOptions, depth - 1).filter(isGiven))
    .map(([names, options]): SelectItem => ({ path: names, options }))
  return fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: nested })
}

function expandItemArbitrary(depth: number): fc.Arbitrary<ExpandItem> {
  const path = fc.array(fc.oneof(nameArbitrary, qualifiedNameArbitrary), { minLength: 1, maxLength: 2 })
  const plain: fc.Arbitrary<ExpandItem> = fc.oneof(
    path.map(names => ({ path: names })),
    fc
      .tuple(path, fc.constantFrom('ref' as const, 'count' as const))
      .map(([names, suffix]) => ({ path: names, suffix })),
    fc.constantFrom<ExpandItem>({ path: ['*'] }, { path: ['*'], suffix: 'ref' }, { path: ['$value'] }),
    annotationNameArbitrary.map(name => ({ path: [name] })),
  )
  if (depth === 0) return plain
  const withOptions = (allowed: NestedOptionNames, item: fc.Arbitrary<ExpandItem>): fc.Arbitrary<ExpandItem> =>
    fc
      .tuple(item, optionsArbitrary(allowed, depth - 1).filter(isGiven))
      .map(([start, options]) => ({ ...start, options }))
  const relation: fc.Arbitrary<ExpandItem> = path.map(names => ({ path: names }))
  return fc.oneof(
    { weight: 3, arbitrary: plain },
    { weight: 2, arbitrary: withOptions(expandOptions, relation) },
    {
      weight: 1,
      arbitrary: withOptions(
        referenceOptions,
        relation.map(item => ({ ...item, suffix: 'ref' })),
      ),
    },
    {
      weight: 1,
      arbitrary: withOptions(
        countOptions,
        relation.map(item => ({ ...item, suffix: 'count' })),
      ),
    },
    { weight: 1, arbitrary: withOptions(starOptions, fc.constant({ path: ['*'] })) },
  )
}

/** The options of a request, nested ones included, that the grammar can produce. */
export const queryOptionsArbitrary: fc.Arbitrary<QueryOptions> = optionsArbitrary(topOptions, 2)
