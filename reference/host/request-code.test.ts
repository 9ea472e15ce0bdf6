import { describe, expect, it } from 'vitest'

interface Sent {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

interface Values {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What the module of the page exports. */
interface PageModule {
  readonly requestOf: (endpoint: object, values: Required<Omit<Values, 'body'>> & { readonly body?: string }) => Sent
  readonly curlOf: (request: Sent, bearer: boolean) => string
  readonly sampleOf: (schema: object, isWhole?: boolean) => unknown
}

const module = new URL('./assets/request.mjs', import.meta.url).pathname
const { requestOf, curlOf, sampleOf }: PageModule = await import(/* @vite-ignore */ module)

/** A condition or a group, as the builder describes them. */
type FilterNode = object

interface FilterModule {
  readonly filterText: (group: FilterNode) => string
  readonly filterCode: (group: FilterNode) => string
}

const filterModule = new URL('./assets/filter.mjs', import.meta.url).pathname
const { filterText, filterCode }: FilterModule = await import(/* @vite-ignore */ filterModule)

const request = (path: string, values: Values, method = 'GET'): Sent =>
  requestOf({ root: 'http://h/v1', method, path }, { path: {}, query: {}, headers: {}, ...values })

describe('the request of the console', () => {
  it.each<[template: string, values: Values, target: string]>([
    ['/users', {}, '/users'],
    ['/users/{id}', { path: { id: 'a/b c' } }, '/users/a%2Fb%20c'],
    [
      "/copies(isbn='{isbn}',number={number})",
      { path: { isbn: "O'N", number: '2' } },
      "/copies(isbn='O%27%27N',number=2)",
    ],
    ['/users', { query: { $filter: '', $top: '2' } }, '/users?$top=2'],
    ['/users', { query: { $filter: "name eq 'A+B & C#' " } }, '/users?$filter=name%20eq%20%27A%2BB%20%26%20C%23%27%20'],
    ['/users', { query: { $select: 'id,name', $expand: 'a($top=1)' } }, '/users?$select=id,name&$expand=a($top=1)'],
  ])('to %s with %j is to %s', (template, values, target) => {
    expect(request(template, values).url).toBe(`http://h/v1${target}`)
  })

  it('has a content type if it has a body, and only headers with a value', () => {
    expect(request('/users', { headers: { Prefer: '', 'If-Match': '*' }, body: '{}' }, 'POST')).toEqual({
      url: 'http://h/v1/users',
      method: 'POST',
      headers: { 'If-Match': '*', 'Content-Type': 'application/json' },
      body: '{}',
    })
  })

  it('is a command in which the shell replaces nothing but the token', () => {
    const sent = request('/users', { query: { $filter: "a eq '$(x)`y`'" }, body: `{"a":"it's $HOME"}` }, 'POST')
    expect(curlOf(sent, true)).toBe(
      [
        "curl -X POST 'http://h/v1/users?$filter=a%20eq%20%27$(x)%60y%60%27' \\",
        '  -H "Authorization: Bearer $TOKEN" \\',
        "  -H 'Content-Type: application/json' \\",
        `  -d '{"a":"it'\\''s $HOME"}'`,
      ].join('\n'),
    )
  })
})

describe('the example of a value', () => {
  const schema = {
    type: 'object',
    required: ['name', 'home'],
    properties: {
      id: { type: 'string', readOnly: true },
      name: { type: 'string', minLength: 6 },
      age: { type: ['integer', 'null'], minimum: 18 },
      colour: { enum: [null, 'red'] },
      code: { type: 'string', pattern: '^[A-Z]$' },
      born: { type: 'string', format: 'date' },
      home: {
        type: 'object',
        required: ['town'],
        properties: { town: { type: 'string' }, street: { type: 'string' } },
      },
      tags: { type: 'array', items: { type: 'string' } },
      'home@odata.bind': { type: 'string' },
    },
  }

  it('has in a request what is required, and single values', () => {
    expect(sampleOf(schema)).toEqual({
      name: 'textxx',
      age: 18,
      colour: 'red',
      born: '2026-12-24',
      home: { town: 'text' },
    })
  })

  it('has in a response everything, with one item in each list', () => {
    expect(sampleOf({ type: 'array', items: schema }, true)).toMatchObject([
      { id: 'text', home: { town: 'text', street: 'text' }, tags: ['text'] },
    ])
  })
})

describe('the filter of the builder', () => {
  const field = { path: 'a', nullable: true, operands: [{ form: 'number', operators: ['eq'] }], predicates: [] }
  const equal = (value: string): FilterNode => ({ field, operand: field.operands[0], operator: 'eq', value })
  const any = (...members: readonly FilterNode[]): FilterNode => ({ logical: 'or', members })
  const all = (...members: readonly FilterNode[]): FilterNode => ({ logical: 'and', members })
  const one = equal('1')
  const incomplete = equal('')

  it.each<readonly [string, FilterNode, string, string]>([
    ['nothing', all(), '', ''],
    ['an incomplete condition', all(incomplete), '', ''],
    ['one condition', all(one), 'a eq 1', "f.eq('a', 1)"],
    ['two conditions', any(one, equal('2')), 'a eq 1 or a eq 2', "f.or(f.eq('a', 1), f.eq('a', 2))"],
    [
      'a group in a group',
      all(any(one, equal('2')), equal('3')),
      '(a eq 1 or a eq 2) and a eq 3',
      "f.and(f.or(f.eq('a', 1), f.eq('a', 2)), f.eq('a', 3))",
    ],
    [
      'groups without conditions, or with one',
      all(any(), any(incomplete, one), any(all(equal('2')))),
      'a eq 1 and a eq 2',
      "f.and(f.eq('a', 1), f.eq('a', 2))",
    ],
    ['a group alone', all(any(one, equal('2'))), 'a eq 1 or a eq 2', "f.or(f.eq('a', 1), f.eq('a', 2))"],
  ])('of %s is text and code', (_, group, text, code) => {
    expect([filterText(group), filterCode(group)]).toEqual([text, code])
  })
})
