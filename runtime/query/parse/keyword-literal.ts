import type { Literal } from '../ast.js'

const nullLiteral: Literal = { kind: 'literal', type: 'null', value: null }
const trueLiteral: Literal = { kind: 'literal', type: 'Boolean', value: true }
const falseLiteral: Literal = { kind: 'literal', type: 'Boolean', value: false }
const infinityLiteral: Literal = { kind: 'literal', type: 'Double', value: 'INF' }
const notANumberLiteral: Literal = { kind: 'literal', type: 'Double', value: 'NaN' }

const longestKeyword = 5

/**
 * The literal that a bare word stands for: `null`, `INF` and `NaN` in this case only, `true` and `false` in any.
 *
 * @see OData ABNF, `null`, `boolean`, `nanInfinity`
 */
export function keywordLiteral(word: string): Literal | undefined {
  if (word.length > longestKeyword) return undefined
  switch (word) {
    case 'null':
      return nullLiteral
    case 'INF':
      return infinityLiteral
    case 'NaN':
      return notANumberLiteral
    case 'true':
      return trueLiteral
    case 'false':
      return falseLiteral
    default:
      return booleanInAnyCase(word)
  }
}

function booleanInAnyCase(word: string): Literal | undefined {
  const lower = word.toLowerCase()
  return lower === 'true' ? trueLiteral : lower === 'false' ? falseLiteral : undefined
}
