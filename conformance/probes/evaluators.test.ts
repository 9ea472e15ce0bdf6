import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Expression, parseFilter, printFilter } from '../../runtime/query/index.js'
import { buildTypeTable } from '../../spec/language/table/type-table.js'
import { createChoiceRecord } from '../choices/choices.js'
import type { Row } from '../json.js'
import { comparisonSemanticsOf } from '../oracle/comparison-semantics.js'
import type { EvaluationContext } from '../oracle/paths.js'
import { specOf } from '../testing/rule-tests.js'
import { bugModels } from './bug-models/index.js'
import { buggyEvaluator, correctEvaluator, equivalentRows, type RowClasses } from './evaluators.js'

const service = specOf('library')
const types = buildTypeTable(service)
const context: EvaluationContext = {
  semantics: comparisonSemanticsOf({ service, types, choices: createChoiceRecord(service) }),
  types,
  type: 'book',
  properties: new Set(service.entityTypes.find(({ name }) => name === 'book')?.properties.map(({ name }) => name)),
  now: 0,
}

const texts = fc.constantFrom('a', 'A', 'b', '')
const plain = (model: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Row> =>
  fc.record(model, { noNullPrototype: true })

const books: fc.Arbitrary<Row> = fc.record<Record<string, unknown>>(
  {
    '@odata.type': fc.constantFrom('#library.book', '#library.audiobook'),
    title: fc.oneof(texts, fc.constant(5)),
    language: texts,
    narrator: texts,
    keywords: fc.array(texts, { maxLength: 2 }),
    pages: fc.constantFrom(null, 1, 2),
    published: fc.constantFrom(null, '2020-01-01', '2020-02-29'),
    genres: fc.constantFrom('fiction', 'fiction,history', 'none'),
    edition: fc.option(plain({ number: fc.constantFrom(1, 2), publisher: fc.option(plain({ name: texts })) })),
    reviews: fc.array(plain({ stars: fc.constantFrom(1, 5), text: fc.option(texts) }), { maxLength: 2 }),
  },
  { requiredKeys: [], noNullPrototype: true },
)

const conditions: readonly Expression[] = [
  "title eq 'a'",
  'title eq language',
  "title in ('a','b')",
  'title in keywords',
  "contains(title,'a')",
  "startswith(tolower(title),'a')",
  'endswith(title,language)',
  'pages gt 1',
  'pages ne null',
  'pages add 1 ge 3',
  '-pages lt -1',
  'pages in (2,3)',
  "cast(pages,Edm.String) eq '1'",
  "case(pages gt 1:title,true:language) eq 'a'",
  'isof(pages,Edm.Int32)',
  'isof(library.audiobook)',
  'isof(edition,library.edition)',
  "library.audiobook/narrator eq 'a'",
  "$it/title eq 'b'",
  "$root/books('1')/title eq 'b'",
  'title eq @wanted',
  'published lt 2020-02-01',
  'year(published) eq 2020',
  "genres has library.genre'fiction'",
  "edition/publisher/name eq 'a'",
  'edition eq null',
  'keywords/any()',
  "keywords/any(k:k eq 'a')",
  'keywords/all(k:k ne title)',
  'keywords/any(k:k eq $it/language)',
  'keywords/$count gt 1',
  'reviews/any(r:r/stars gt 1 and r/text eq null)',
  'reviews/any(r:r/text eq title)',
  'reviews/$filter(stars gt 1)/$count gt 0',
].map(text => parseFilter(text))

const filters: fc.Arbitrary<Expression> = fc.letrec<{ filter: Expression; not: Expression; join: Expression }>(tie => ({
  filter: fc.oneof({ maxDepth: 2 }, fc.constantFrom(...conditions), tie('not'), tie('join')),
  not: tie('filter').map(operand => ({ kind: 'unary', operator: 'not', operand })),
  join: fc
    .tuple(fc.constantFrom('and', 'or'), tie('filter'), tie('filter'))
    .map(([operator, left, right]) => ({ kind: 'binary', operator, left, right })),
})).filter

/** Each row by itself. */
const apart = (rows: readonly Row[]): RowClasses => {
  const single = rows.map((row, index) => ({ row, index, bits: 1n << BigInt(index) }))
  return () => single
}

describe('rows that a condition cannot distinguish', () => {
  it.each<[string, readonly Row[], readonly bigint[]]>([
    ["title eq 'a'", [{ title: 'a', pages: 1 }, { title: 'b' }, { title: 'a' }], [0b101n, 0b010n]],
    ["title eq 'a'", [{ title: null }, {}, { title: 'null' }, { title: 'absent' }], [0b1n, 0b10n, 0b100n, 0b1000n]],
    ['pages eq 1', [{ pages: 1 }, { pages: '1' }, { pages: [1] }], [0b1n, 0b10n, 0b100n]],
    [
      'edition/number eq 1',
      [{ edition: { number: 1 } }, { edition: { number: 2 } }, { edition: { number: 1 } }],
      [0b101n, 0b010n],
    ],
    ['isof(library.audiobook)', [{ title: 'a' }, { title: 'a' }], [0b1n, 0b10n]],
    ["title eq 'a' or __proto__ eq 'b'", [{ title: 'a' }, { title: 'a' }], [0b11n]],
    ['true', [{ title: 'a' }, {}], [0b11n]],
    ["title eq 'a'", [], []],
  ])('%s', (filter, rows, bits) => {
    const groups = equivalentRows(rows)(parseFilter(filter))
    expect(groups.map(group => group.bits)).toEqual(bits)
    for (const { row, index } of groups) expect(row).toBe(rows[index])
  })

  it('have the same results as separately, for the correct evaluator and every bug model', () => {
    fc.assert(
      fc.property(fc.array(books, { maxLength: 12 }), filters, (rows, filter) => {
        const [together, single] = [equivalentRows(rows), apart(rows)]
        const [right, rightApart] = [correctEvaluator(together, context), correctEvaluator(single, context)]
        expect(right.evaluate(filter), printFilter(filter)).toEqual(rightApart.evaluate(filter))
        for (const bugModel of bugModels) {
          const read = buggyEvaluator(bugModel, together, context, right).evaluate(filter)
          expect(read, `${bugModel.id}: ${printFilter(filter)}`).toEqual(
            buggyEvaluator(bugModel, single, context, rightApart).evaluate(filter),
          )
        }
      }),
    )
  })
})
