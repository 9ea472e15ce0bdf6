import type { Expression } from '../../../runtime/query/index.js'
import { binary, call, joined, nullLiteral } from '../build.js'
import { always, never, rewritten } from './rewrite.js'
import type { WrongInterpreter } from './wrong-interpreter.js'

type Call = Extract<Expression, { readonly kind: 'call' }>

function onCalls(name: string, id: string, says: string, change: (part: Call) => Expression | undefined) {
  const wrong: WrongInterpreter = {
    id,
    says,
    signs: [name],
    atom: filter =>
      rewritten(filter, part => (part.kind === 'call' && part.function === name ? change(part) : undefined)),
  }
  return wrong
}

/** The function for each item of its list by itself. */
function ofEach(part: Call, join: 'or' | 'and'): Expression | undefined {
  const [whole, list] = part.arguments
  if (whole === undefined || list?.kind !== 'list' || list.items.length < 2) return undefined
  const [first, ...others] = list.items.map(item => call(part.function, whole, { ...list, items: [item] }))
  return first && joined(join, first, ...others)
}

/** Functions that few services have, taken for something else. */
export const wrongRareFunctions: readonly WrongInterpreter[] = [
  onCalls('hassubset', 'subset-of-any', 'hassubset asked for any of the items', part => ofEach(part, 'or')),
  onCalls('hassubset', 'subset-in-order', 'hassubset were hassubsequence', part => ({
    ...part,
    function: 'hassubsequence',
  })),
  onCalls('hassubset', 'subset-the-other-way', 'hassubset looked for the property in the list', part => ({
    ...part,
    arguments: part.arguments.toReversed(),
  })),
  onCalls('hassubsequence', 'subsequence-never', 'hassubsequence were false', () => never),
  onCalls('hassubsequence', 'subsequence-in-any-order', 'hassubsequence were hassubset', part => ({
    ...part,
    function: 'hassubset',
  })),
  onCalls('cast', 'cast-never', 'cast gave nothing', () => nullLiteral),
  onCalls('cast', 'cast-ignored', 'cast were not there', ({ arguments: [first, type] }) =>
    type === undefined ? undefined : first,
  ),
  onCalls('isof', 'isof-always', 'isof were true', () => always),
  onCalls('isof', 'isof-never', 'isof were false', () => never),
  onCalls('isof', 'isof-of-values', 'isof asked for a value only', ({ arguments: [first, type] }) =>
    first === undefined || type === undefined ? undefined : binary('ne', first, nullLiteral),
  ),
  onCalls('mindatetime', 'earliest-as-latest', 'mindatetime were maxdatetime', part => ({
    ...part,
    function: 'maxdatetime',
  })),
  onCalls('maxdatetime', 'latest-as-earliest', 'maxdatetime were mindatetime', part => ({
    ...part,
    function: 'mindatetime',
  })),
  onCalls('totaloffsetminutes', 'offset-unknown', 'totaloffsetminutes gave nothing', () => nullLiteral),
  onCalls('case', 'case-of-the-last', 'the last true condition of case decided', part => {
    const pairs = part.arguments.flatMap((_, index) =>
      index % 2 === 0 ? [part.arguments.slice(index, index + 2)] : [],
    )
    return { ...part, arguments: pairs.toReversed().flat() }
  }),
  onCalls('case', 'case-of-the-first', 'case knew its first condition only', part => ({
    ...part,
    arguments: part.arguments.slice(0, 2),
  })),
]
