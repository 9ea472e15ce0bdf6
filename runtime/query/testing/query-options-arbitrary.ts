import fc from 'fast-check'
import type {
  AggregateItem,
  ExpandItem,
  Expression,
  GroupingItem,
  OrderbyItem,
  QueryOptions,
  SelectItem,
  Transformation,
} from '../ast.js'
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
  names: [...expandOptions.names.filter(name => name !== 'levels'), 'apply', 'format', 'skiptoken', 'deltatoken'],
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
    apply: () => transformationsArbitrary(depth),
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

function transformationsArbitrary(depth: number): fc.Arbitrary<readonly Transformation[]> {
  const path = fc.array(nameArbitrary, { minLength: 1, maxLength: 2 })
  const paths = fc
    .array(path, { minLength: 1, maxLength: 2 })
    .filter(([first]) => first?.join('/').toLowerCase() !== 'null')
  const counted = path.map(
    (names): Expression => ({
      kind: 'path',
      segments: [...names.map(name => ({ kind: 'property', name }) as const), { kind: 'count' }],
    }),
  )
  const method = fc.constantFrom(
    'sum' as const,
    'min' as const,
    'max' as const,
    'average' as const,
    'countdistinct' as const,
  )
  const aggregate: fc.Arbitrary<AggregateItem> = fc.oneof(
    fc.record({ method: fc.constant('count' as const), alias: nameArbitrary }),
    fc.record({ expression: counted, method: fc.constant('count' as const), alias: nameArbitrary }),
    fc.record({ expression, method, alias: nameArbitrary }),
  )
  const grouping: fc.Arbitrary<GroupingItem> = fc.oneof(
    path.map(names => ({ kind: 'property' as const, path: names })),
    fc.record({ kind: fc.constant('rollup' as const), paths, total: fc.boolean() }),
  )
  const by = fc.array(grouping, { minLength: 1, maxLength: 2 })
  const leaf: fc.Arbitrary<Transformation> = fc.oneof(
    fc.constant({ kind: 'identity' as const }),
    fc.record({ kind: fc.constant('filter' as const), filter: expression }),
    fc.record({ kind: fc.constant('search' as const), search: searchArbitrary }),
    fc.record({
      kind: fc.constant('orderby' as const),
      orderby: fc.array(orderbyItem, { minLength: 1, maxLength: 2 }),
    }),
    fc.record({ kind: fc.constantFrom('top' as const, 'skip' as const), count: integer }),
    fc.record({
      kind: fc.constant('compute' as const),
      compute: fc.array(fc.record({ expression, alias: nameArbitrary }), { minLength: 1, maxLength: 2 }),
    }),
    fc.record({
      kind: fc.constant('aggregate' as const),
      aggregate: fc.array(aggregate, { minLength: 1, maxLength: 2 }),
    }),
    fc.record({ kind: fc.constant('groupby' as const), by, apply: fc.constant([]) }),
    fc.record({
      kind: fc.constant('ranked' as const),
      end: fc.constantFrom('top' as const, 'bottom' as const),
      by: fc.constantFrom('count' as const, 'sum' as const, 'percent' as const),
      amount: expression,
      measure: expression,
    }),
  )
  if (depth === 0) return fc.array(leaf, { minLength: 1, maxLength: 2 })
  const inner = transformationsArbitrary(depth - 1)
  const step: fc.Arbitrary<Transformation> = fc.oneof(
    { weight: 4, arbitrary: leaf },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('groupby' as const), by, apply: inner }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('concat' as const),
        branches: fc.array(inner, { minLength: 2, maxLength: 3 }),
      }),
    },
  )
  return fc.array(step, { minLength: 1, maxLength: 3 })
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
