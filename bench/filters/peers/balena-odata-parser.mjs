import odata from '@balena/odata-parser'
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
  path,
  scalar,
  text,
  type,
} from '../tree.mjs'

const rule = { startRule: 'ProcessRule', rule: 'FilterByExpression' }

/** @type {import('../parsers.mjs').Parser} */
export const balenaOdataParser = {
  name: '@balena/odata-parser',
  // It decodes the text between quotes itself.
  prepare: written => written.replaceAll('%', '%25'),
  parse: written => odata.parse(written, rule),
  tree: result => expression(result.tree, result.binds, []),
}

const operators = new Set(['or', 'and', 'eq', 'ne', 'gt', 'ge', 'lt', 'le', 'add', 'sub', 'mul', 'div', 'mod'])

/** Trees are arrays `[operator, …operands]`, paths are objects linked by `property`, literals are moved into `binds`. */
function expression(node, binds, variables) {
  const inner = child => expression(child, binds, variables)
  if (Array.isArray(node)) {
    const [operator, ...operands] = node
    if (operator === 'call') return functionCall(operands[0], inner)
    if (operator === 'not') return not(inner(operands[0]))
    if (operator === 'eqany') return binary('in', inner(operands[0]), inner(operands[1]))
    if (!operators.has(operator)) throw new NoCounterpart(String(operator))
    return operands.map(inner).reduce((left, right) => binary(operator, left, right))
  }
  if (node === null || typeof node !== 'object') return scalar(node)
  if ('bind' in node) return typeof node.bind === 'string' ? alias(node.bind.slice(1)) : bound(binds[node.bind])
  if ('negative' in node) return text(duration(node))
  return member(node, binds, variables)
}

/** The last argument of `isof` and `cast` is a type, which the parser confuses with a path. */
function functionCall({ method, args }, inner) {
  const values = args.map(inner)
  if (method !== 'isof' && method !== 'cast') return call(method, values)
  return call(method, [...values.slice(0, -1), type(args.at(-1).name)])
}

function bound([type, value]) {
  if (type === 'List') return list(value.map(bound))
  if (type === 'Null') return scalar(null)
  return scalar(type === 'Date Time' ? new Date(value) : value)
}

function member(node, binds, variables) {
  const names = [node.name]
  let last = node
  while (last.property !== undefined) {
    last = last.property
    names.push(last.name)
  }
  if (last.key !== undefined || last.options !== undefined) throw new NoCounterpart('key or options in a path')
  const start = path(names, variables)
  if (last.lambda !== undefined) {
    const { method, identifier, expression: predicate } = last.lambda
    return lambda(method, start, identifier, expression(predicate, binds, [...variables, identifier]))
  }
  if (last.method !== undefined) {
    const [, { method, args }] = last.method
    if (args.length > 0) throw new NoCounterpart(`call of ${method} in a path`)
    return method === 'any' ? lambda('any', start) : extend(start, { kind: 'function', name: method, parameters: [] })
  }
  return last.count ? count(start) : start
}

function duration({ negative, day, hour, minute, second }) {
  const time = [hour && `${hour}H`, minute && `${minute}M`, second && `${second}S`].filter(Boolean).join('')
  return `${negative ? '-' : ''}P${day ? `${day}D` : ''}${time && `T${time}`}`
}
