import { createRequire } from 'node:module'
import {
  alias,
  binary,
  boolean,
  call,
  count,
  extend,
  lambda,
  list,
  NoCounterpart,
  negate,
  not,
  nullLiteral,
  number,
  path,
  property,
  scalar,
  text,
  type,
} from '../tree.mjs'

const load = createRequire(import.meta.url)

/** odata-v4-parser and the two that grew out of it: one grammar, one shape of tree. */
const family = [
  { name: 'odata-v4-parser', filter: load('odata-v4-parser').filter },
  { name: '@steedos/odata-v4-parser', filter: load('@steedos/odata-v4-parser').filter },
  { name: '@odata/parser', filter: written => load('@odata/parser').defaultParser.filter(written) },
]

/** @type {readonly import('../parsers.mjs').Parser[]} */
export const odataV4Parsers = family.map(({ name, filter }) => ({
  name,
  // These read the address as it is sent, where some characters must be percent-encoded.
  prepare: written => written.replace(/[%"<>#[\]{};^`|\\]/g, encodeURIComponent),
  parse: filter,
  tree: token => expression(token, []),
}))

const operators = {
  AndExpression: 'and',
  OrExpression: 'or',
  EqualsExpression: 'eq',
  NotEqualsExpression: 'ne',
  LesserThanExpression: 'lt',
  LesserOrEqualsExpression: 'le',
  GreaterThanExpression: 'gt',
  GreaterOrEqualsExpression: 'ge',
  HasExpression: 'has',
  InExpression: 'in',
  AddExpression: 'add',
  SubExpression: 'sub',
  MulExpression: 'mul',
  DivExpression: 'div',
  ModExpression: 'mod',
}

function expression(token, variables) {
  const { value } = token
  if (Object.hasOwn(operators, token.type))
    return binary(operators[token.type], expression(value.left, variables), expression(value.right, variables))
  switch (token.type) {
    case 'Literal':
      return literal(value, decodeURIComponent(token.raw))
    case 'Enum':
      return text(decodeURIComponent(token.raw))
    case 'NotExpression':
      return not(expression(value, variables))
    case 'NegateExpression':
      return negate(expression(value, variables))
    case 'CommonExpression':
    case 'BoolParenExpression':
    case 'ParenExpression':
    case 'LambdaPredicateExpression':
      return expression(value, variables)
    case 'MethodCallExpression':
      return call(
        value.method,
        (value.parameters ?? []).map(item => expression(item, variables)),
      )
    case 'IsOfExpression':
      return call('isof', [
        ...(value.target === undefined ? [] : [expression(value.target, variables)]),
        type(qualifiedName(value.typename)),
      ])
    case 'ArrayOrObject':
      return json(JSON.parse(decodeURIComponent(token.raw)))
    case 'RootExpression':
      return fromRoot(value, variables)
    case 'ParameterAlias':
      return alias(value.name)
    case 'FirstMemberExpression':
      return firstMember(value, variables)
    default:
      throw new NoCounterpart(token.type)
  }
}

function literal(edmType, raw) {
  switch (edmType) {
    case 'null':
      return nullLiteral
    case 'Edm.Boolean':
      return boolean(raw === 'true')
    case 'Edm.Array':
      return list(items(raw))
    case 'Edm.String':
      return text(raw.slice(1, -1).replaceAll("''", "'"))
    case 'Edm.Guid':
      return text(raw.toLowerCase())
    case 'Edm.SByte':
    case 'Edm.Byte':
    case 'Edm.Int16':
    case 'Edm.Int32':
    case 'Edm.Int64':
    case 'Edm.Decimal':
    case 'Edm.Double':
    case 'Edm.Single':
      return number(raw)
    default:
      return text(/^[a-z]+'(.*)'$/i.exec(raw)?.[1] ?? raw)
  }
}

/** @steedos keeps the list after `in` as one text. The adapter splits it, in its favour. */
function items(raw) {
  return (raw.match(/'(?:[^']|'')*'|[^,()\s]+/g) ?? []).map(item => {
    if (item.startsWith("'")) return literal('Edm.String', item)
    if (item === 'null') return nullLiteral
    return literal(Number.isNaN(Number(item)) ? 'Edm.Guid' : 'Edm.Decimal', item)
  })
}

/** `x/y` where x is a lambda variable or `$it` comes as a pair, anything else as one path. */
function firstMember(value, variables) {
  if (!Array.isArray(value)) return member(value, undefined, variables)
  const [variable, rest] = value
  return member(rest, start(variable, variables), variables)
}

function start(token, variables) {
  if (token.type === 'LambdaVariableExpression') return path([token.value.name], variables)
  if (token.type === 'ImplicitVariableExpression') return { kind: 'path', root: { kind: 'it' }, segments: [] }
  throw new NoCounterpart(token.type)
}

function member(token, from, variables) {
  switch (token.type) {
    case 'MemberExpression':
      if (token.value.name === undefined) return member(token.value, from, variables)
      return member(token.value.value, cast(from, qualifiedName(token.value.name)), variables)
    case 'SingleNavigationExpression':
      return member(token.value, from, variables)
    case 'LambdaVariableExpression':
    case 'ImplicitVariableExpression':
      return start(token, variables)
    case 'PropertyPathExpression': {
      const { current, next } = token.value.current === undefined ? { current: token.value } : token.value
      const here = step(from, current.value.name, variables)
      return next === undefined ? here : member(next, here, variables)
    }
    case 'CollectionPathExpression':
    case 'ComplexPathExpression':
      return collection(token.value, from, variables)
    default:
      throw new NoCounterpart(token.type)
  }
}

const anywhere = { kind: 'path', segments: [] }
const cast = (from, name) => extend(from ?? anywhere, { kind: 'cast', type: name })
const qualifiedName = token => token.raw

/** `$root/set('key')/…` */
function fromRoot({ current, next }, variables) {
  const { entitySet, keys } = current
  const set = { ...anywhere, root: { kind: 'root' }, segments: [property(entitySet.value.name)] }
  const item = keys === undefined ? set : extend(set, { kind: 'key', values: [{ value: keyValue(keys) }] })
  return next === undefined ? item : member(next, item, variables)
}

function keyValue(keys) {
  if (keys.type !== 'SimpleKey') throw new NoCounterpart(keys.type)
  const { value, raw } = keys.value.value
  return literal(value, decodeURIComponent(raw))
}

function json(value) {
  if (Array.isArray(value)) return list(value.map(json))
  if (value === null || typeof value !== 'object') return scalar(value)
  return { kind: 'object', members: Object.entries(value).map(([name, member]) => ({ name, value: json(member) })) }
}

const step = (from, name, variables) => (from === undefined ? path([name], variables) : extend(from, property(name)))

function collection(token, from, variables) {
  switch (token.type) {
    case 'CountExpression':
      return count(from)
    case 'AnyExpression':
    case 'AllExpression': {
      const { variable, predicate } = token.value
      const operator = token.type === 'AnyExpression' ? 'any' : 'all'
      if (variable === undefined) return lambda(operator, from)
      const { name } = variable.value
      return lambda(operator, from, name, expression(predicate, [...variables, name]))
    }
    default:
      return member(token, from, variables)
  }
}
