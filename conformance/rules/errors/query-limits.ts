import type { Expression } from '../../../runtime/query/index.js'
import { onePerEndpoint } from '../../discover/site.js'
import type { TestRequest } from '../../http/message.js'
import { filterableProperties } from '../../rule/query-request.js'
import { describeResponse, inconclusiveVerdict, isServerError, serverErrorFeatures } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'

/** Numbers of operands, or of nesting levels. Recursive parsers survive a few dozen levels, but not hundreds. */
const sizes = { long: 400, deep: 60, parentheses: 700, negations: 400 }

export const queryLimits: ActiveRule = {
  kind: 'active',
  id: 'query-limits',
  area: 'errors',
  statement:
    'A filter that is too long or too deeply nested is rejected or evaluated; it does not cause a server error.',
  advice:
    'Recursive parsers overflow their stack, and stores have their own limits. Count nodes and levels while you parse, and reject filters beyond a limit.',
  aspects: ['error.unsupported', 'options.support'],
  covers: ['error.uriTooLong', 'fault.uriTooLong', 'open.queryLimits', 'limits'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 2,
  sites: session => {
    return onePerEndpoint(session.sites)
      .filter(site => site.endpoint.kind === 'collection' && filterableProperties(site, session, 'String').length > 0)
      .slice(0, 2)
  },
  cases: (site, session) => {
    const name = filterableProperties(site, session, 'String')[0]?.name
    return name === undefined
      ? { skipReason: 'no string property can be filtered' }
      : {
          planned: [
            { variant: 'deep', name },
            { variant: 'long', name },
            { variant: 'parentheses', name },
            { variant: 'negations', name },
          ],
        }
  },
  check: async ({ variant, name = '' }, site, session) => {
    const query = queryOf(variant, name)
    const response = await session.send({ method: 'GET', path: site.path, ...query })
    if (response.transportError === 'unreachable') {
      return {
        kind: 'inconclusive',
        why: `the connection failed for a URL of ${response.request.url.length} characters`,
      }
    }
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    if (!isServerError(response)) return { kind: 'pass' }
    return failure({
      message: `A ${variant === 'long' ? 'long' : 'deeply nested'} filter caused a server error.`,
      expected: 'the rows, or an error with a 4xx status or 501',
      received: describeResponse(response),
      answers: [response],
      features: serverErrorFeatures(response.testRequest),
    })
  },
}

/** Levels that the printer does not write are raw text. */
function queryOf(variant: string | undefined, name: string): Pick<TestRequest, 'options' | 'rawQuery'> {
  const nested = (opening: string, levels: number): { readonly rawQuery: string } => {
    const filter = `${opening.repeat(levels)}${name} eq 'a'${')'.repeat(levels)}`
    return { rawQuery: `$filter=${encodeURIComponent(filter)}` }
  }
  switch (variant) {
    case 'long':
      return { options: { filter: long(name, sizes.long) } }
    case 'parentheses':
      return nested('(', sizes.parentheses)
    case 'negations':
      return nested('not(', sizes.negations)
    default:
      return { options: { filter: deep(name, sizes.deep) } }
  }
}

function equality(name: string, value: string): Expression {
  const path = { kind: 'path', segments: [{ kind: 'property', name }] } as const
  return { kind: 'binary', operator: 'eq', left: path, right: { kind: 'literal', type: 'String', value } }
}

function long(name: string, size: number): Expression {
  let all = equality(name, 'a')
  for (let index = 1; index < size; index++) {
    all = { kind: 'binary', operator: 'or', left: all, right: equality(name, `a${index}`) }
  }
  return all
}

function deep(name: string, size: number): Expression {
  let all = equality(name, 'a')
  for (let index = 0; index < size; index++) all = { kind: 'unary', operator: 'not', operand: all }
  return all
}
