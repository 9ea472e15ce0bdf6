import cds from '@sap/cds'
import {
  alias,
  binary,
  call,
  count,
  extend,
  lambda,
  list,
  NoCounterpart,
  not,
  number,
  path,
  property,
  scalar,
} from '../tree.mjs'

/**
 * The OData parser of SAP CAP. It takes a whole address and answers with CQN, whose conditions are flat lists of
 * operands and SQL operators, with SQL's precedence.
 *
 * @type {import('../parsers.mjs').Parser}
 */
export const sapCds = {
  name: '@sap/cds `cds.odata.parse` (whole URL)',
  prepare: text => `/Users?$filter=${text.replaceAll('%', '%25')}`,
  parse: url => cds.odata.parse(url).SELECT.where,
  tree: where => condition(where, []),
  // CQN says `contains(collection, value)` for a lambda that looks for one value.
  expected: membershipAsContains,
}

const comparisons = { '=': 'eq', '!=': 'ne', '<': 'lt', '>': 'gt', '<=': 'le', '>=': 'ge', in: 'in' }

function condition(tokens, variables) {
  let position = 0
  const next = () => tokens[position++]
  const chain = (operator, operand) => {
    let left = operand()
    while (tokens[position] === operator) {
      position++
      left = binary(operator, left, operand())
    }
    return left
  }
  const comparison = () => {
    if (tokens[position] === 'not') {
      position++
      return not(comparison())
    }
    if (tokens[position] === 'exists') {
      position++
      return exists(next(), variables)
    }
    const left = operand(next(), variables)
    const operator = tokens[position]
    if (typeof operator !== 'string' || !Object.hasOwn(comparisons, operator)) return left
    position++
    return binary(comparisons[operator], left, operand(next(), variables))
  }
  const whole = chain('or', () => chain('and', comparison))
  if (position < tokens.length) throw new NoCounterpart(JSON.stringify(tokens[position]))
  return whole
}

function operand(token, variables) {
  if (token === undefined || typeof token === 'string') throw new NoCounterpart(`operator ${token}`)
  if ('xpr' in token) return condition(token.xpr, variables)
  if ('list' in token) return list(token.list.map(item => operand(item, variables)))
  if (token.func === 'count' && token.as === '$count') return count(operand(token.args[0], variables))
  if ('func' in token)
    return call(
      token.func,
      token.args.map(item => operand(item, variables)),
    )
  if ('val' in token) return value(token)
  if ('ref' in token && token.ref.every(step => typeof step === 'string')) return relative(token.ref, variables)
  throw new NoCounterpart(JSON.stringify(token))
}

function value({ val, literal }) {
  if (literal === 'number') return number(val)
  // An alias that the URL does not define stays as written.
  return typeof val === 'string' && /^@\w+$/.test(val) ? alias(val.slice(1)) : scalar(val)
}

/** Inside a lambda, CQN drops the variable: every path starts at the innermost one. */
function relative(names, variables) {
  const innermost = variables.at(-1)
  return innermost === undefined ? path(names) : extend(path([innermost], variables), ...names.map(property))
}

function exists({ ref }, variables) {
  const { id, where } = ref.at(-1)
  const collection = relative([...ref.slice(0, -1), id], variables)
  if (where === undefined) return lambda('any', collection)
  const variable = `v${variables.length}`
  return lambda('any', collection, variable, condition(where, [...variables, variable]))
}

function membershipAsContains(node) {
  if (node === null || typeof node !== 'object') return node
  if (Array.isArray(node)) return node.map(membershipAsContains)
  const value = node.kind === 'lambda' && node.operator === 'any' ? soughtValue(node) : undefined
  if (value !== undefined) return call('contains', [node.collection, value])
  return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, membershipAsContains(child)]))
}

function soughtValue({ variable, predicate }) {
  if (predicate?.kind !== 'binary' || predicate.operator !== 'eq' || predicate.right.kind !== 'literal')
    return undefined
  const { root, segments } = predicate.left
  return root?.name === variable && segments.length === 0 ? predicate.right : undefined
}
