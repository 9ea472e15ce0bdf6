import fc from 'fast-check'

/** A request of the caller who looks for the most expensive one: a path, and query options without `$`. */
interface Query {
  readonly path: string
  readonly options: Readonly<Record<string, string>>
}

/** The target of a request for a query. */
export function targetOf({ path, options }: Query): string {
  const given = Object.entries(options).map(([name, value]) => `$${name}=${encodeURIComponent(value)}`)
  return given.length === 0 ? path : `${path}?${given.join('&')}`
}

/** What a type of the forum has, and the types that its relations lead to. */
interface Shape {
  readonly texts: readonly string[]
  readonly numbers: readonly string[]
  readonly lists: readonly string[]
  readonly relations: Readonly<Record<string, 'topic' | 'post'>>
}

const shapes: Readonly<Record<'topic' | 'post', Shape>> = {
  topic: {
    texts: ['id', 'title', 'next/title', 'next/next/title'],
    numbers: ['views', 'rating', 'next/views', 'posts/$count', 'related/$count', 'tags/$count'],
    lists: ['tags', 'next/tags'],
    relations: { posts: 'post', related: 'topic' },
  },
  post: { texts: ['text'], numbers: ['score', 'number', 'words/$count'], lists: ['words'], relations: {} },
}

const literals = ["'a'", "'word'", "'word 7'", "''", "'zzzz'"] as const
const patterns = ['a*b', '(a|ab|b)*c', '(w?o?r?d? ?)*$', '[a-z]+ [0-9]+.*z', '(.*a){8}'] as const

/** A text of the item that `prefix` leads to. */
function textOf(shape: Shape, prefix: string, depth: number): fc.Arbitrary<string> {
  const plain = fc.constantFrom(...shape.texts.map(name => prefix + name))
  if (depth === 0) return plain
  const inner = textOf(shape, prefix, depth - 1)
  return fc.oneof(
    plain,
    fc.tuple(fc.constantFrom('tolower', 'toupper', 'trim'), inner).map(([name, text]) => `${name}(${text})`),
    fc.tuple(inner, inner).map(([left, right]) => `concat(${left},${right})`),
    inner.map(text => `substring(${text},1)`),
  )
}

function conditionOn(type: 'topic' | 'post', prefix: string, depth: number): fc.Arbitrary<string> {
  const shape = shapes[type]
  const text = textOf(shape, prefix, Math.min(depth, 3))
  const number = fc.constantFrom(...shape.numbers.map(name => prefix + name))
  const leaf = fc.oneof(
    fc
      .tuple(fc.constantFrom('contains', 'startswith', 'endswith'), text, fc.constantFrom(...literals))
      .map(([name, given, part]) => `${name}(${given},${part})`),
    fc.tuple(text, fc.constantFrom(...patterns)).map(([given, pattern]) => `matchesPattern(${given},'${pattern}')`),
    fc.tuple(text, text).map(([left, right]) => `${left} eq ${right}`),
    fc.tuple(number, number).map(([left, right]) => `${left} mul ${right} mod 7 gt 100`),
    fc.tuple(number, fc.integer({ min: 0, max: 100 })).map(([left, right]) => `${left} lt ${right}`),
    fc.tuple(text, text).map(([left, right]) => `indexof(${left},${right}) eq 99`),
  )
  if (depth === 0) return leaf
  const variable = `v${depth}`
  const lists = fc
    .tuple(fc.constantFrom(...shape.lists), fc.constantFrom('any', 'all'), fc.constantFrom(...literals))
    .map(
      ([name, operator, part]) =>
        `${prefix}${name}/${operator}(${variable}:contains(${variable},${part}) and ${variable} ne ${prefix}${shape.texts[0]})`,
    )
  const relations = Object.entries(shape.relations).map(([name, target]) =>
    fc
      .tuple(fc.constantFrom('any', 'all'), conditionOn(target, `${variable}/`, depth - 1))
      .map(([operator, inner]) => `${prefix}${name}/${operator}(${variable}:${inner})`),
  )
  const inner = conditionOn(type, prefix, depth - 1)
  return fc.oneof(
    leaf,
    lists,
    ...relations,
    fc
      .tuple(inner, fc.constantFrom('and', 'or'), inner)
      .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
    inner.map(operand => `not (${operand})`),
  )
}

function expandOf(type: 'topic' | 'post', depth: number): fc.Arbitrary<string> {
  const relations = Object.entries({
    ...shapes[type].relations,
    ...(type === 'topic' ? { next: 'topic' as const } : {}),
  })
  const items = relations.map(([name, target]) => {
    const nested =
      depth === 0 || Object.keys(shapes[target].relations).length === 0 ? fc.constant('') : expandOf(target, depth - 1)
    const filters = name === 'next' ? fc.constant('') : fc.option(conditionOn(target, '', 1), { nil: '' })
    const more = fc.constantFrom(...(name === 'next' ? ['', '$levels=3'] : ['', '$top=1', '$count=true', '$skip=2']))
    return fc.tuple(nested, filters, more).map(([expand, filter, option]) => {
      const options = [expand === '' ? '' : `$expand=${expand}`, filter === '' ? '' : `$filter=${filter}`, option]
      const given = options.filter(each => each !== '')
      return given.length === 0 ? name : `${name}(${given.join(';')})`
    })
  })
  return items.length === 0 ? fc.constant('posts') : fc.oneof(...items)
}

const words = fc.array(fc.constantFrom('word', '"word 7"', 'common', 'NOT rare', '"common word 1"'), {
  minLength: 1,
  maxLength: 8,
})

const optionArbitraries: Readonly<Record<string, fc.Arbitrary<string>>> = {
  filter: conditionOn('topic', '', 3),
  orderby: fc
    .subarray(['title', 'views', 'rating', 'opened', 'posts/$count', 'next/title'], {
      minLength: 1,
      maxLength: 4,
    })
    .map(keys => keys.map((key, index) => (index % 2 === 0 ? key : `${key} desc`)).join(',')),
  expand: expandOf('topic', 2),
  search: words.map(list => list.join(' AND ').replaceAll('AND NOT', 'NOT').replace(/^NOT /, '')),
  top: fc.constantFrom('1', '50', '1000'),
  skip: fc.constantFrom('10', '1000'),
  count: fc.constant('true'),
  compute: textOf(shapes.topic, '', 3).map(text => `${text} as computed`),
  apply: fc.constantFrom(
    'groupby((title),aggregate(views with sum as total))',
    'groupby((views,title),aggregate($count as n))',
    "filter(contains(title,'a'))/groupby((rating))",
    'aggregate(views with average as mean,title with countdistinct as n)',
  ),
}

const names = Object.keys(optionArbitraries)

/** Draws queries at random, keeps those that cost most, and changes them. */
interface QuerySearch {
  readonly next: () => Query
  /** @param cost the milliseconds until the answer */
  readonly note: (query: Query, cost: number) => void
  /** The most expensive queries so far, the most expensive one first. */
  readonly mostExpensive: () => readonly { readonly query: Query; readonly cost: number }[]
}

/** The most expensive queries that are kept. */
const kept = 12

/**
 * @param seed the same seed draws the same queries; what is kept depends on their costs
 * @param ids of the topics with paths of their own
 */
export function createQuerySearch(seed: number, ids: readonly string[]): QuerySearch {
  let draws = 0
  const draw = <Value>(arbitrary: fc.Arbitrary<Value>): Value => {
    const [value] = fc.sample(arbitrary, { numRuns: 1, seed: seed * 1_000_003 + draws++ })
    if (value === undefined) throw new Error('The arbitrary drew nothing.')
    return value
  }
  const paths = fc.constantFrom(
    '/topics',
    '/topics',
    '/topics/$count',
    ...ids.flatMap(id => [`/topics/${id}`, `/topics/${id}/related`]),
  )
  let best: { readonly query: Query; readonly cost: number }[] = []
  const fresh = (): Query => {
    const path = draw(paths)
    const chosen = draw(fc.subarray(names, { minLength: 1, maxLength: 3 }))
    const allowed = chosen.filter(name => isAllowed(path, name) && !(chosen.includes('apply') && name !== 'apply'))
    return {
      path,
      options: Object.fromEntries(allowed.map(name => [name, draw(optionArbitraries[name] ?? words.map(String))])),
    }
  }
  const changed = ({ path, options }: Query): Query => {
    const name = draw(fc.constantFrom(...names))
    if (!isAllowed(path, name)) return { path: '/topics', options }
    const given = options[name]
    const drawn = draw(optionArbitraries[name] ?? words.map(String))
    if (name === 'filter' && given !== undefined && given.length < 2_000 && draw(fc.boolean()))
      return { path, options: { ...options, filter: `(${given}) or (${drawn})` } }
    if (given !== undefined && draw(fc.boolean())) {
      const { [name]: _, ...rest } = options
      return { path, options: rest }
    }
    return { path, options: { ...options, [name]: drawn } }
  }
  return {
    next: () => {
      const from = best.length === 0 ? undefined : best[draw(fc.nat(best.length - 1))]
      const way = draw(fc.constantFrom('fresh', 'changed', 'changed', 'again'))
      if (from === undefined || way === 'fresh') return fresh()
      return way === 'again' ? from.query : changed(from.query)
    },
    note: (query, cost) => {
      best = [...best.filter(each => targetOf(each.query) !== targetOf(query)), { query, cost }]
        .toSorted((left, right) => right.cost - left.cost)
        .slice(0, kept)
    },
    mostExpensive: () => best,
  }
}

function isAllowed(path: string, name: string): boolean {
  if (path === '/topics/$count') return ['filter', 'search', 'apply'].includes(name)
  if (/^\/topics\/[^/$]+$/.test(path)) return name === 'expand'
  return true
}
