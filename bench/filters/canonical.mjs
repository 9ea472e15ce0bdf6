/**
 * One text for all trees that mean the same, so that peers which write a tree differently still compare as right:
 *
 * - chains of `and` and of `or` are flat, whichever way they lean;
 * - a lambda variable is its depth, not its name; `all(P)` is `not any(not P)`; a double `not` disappears;
 * - a number is its value (`2.50` = `2.5`); a negated number is a negative one;
 * - a literal that is written as text (String, Date, DateTimeOffset, Guid, Duration, Enum) is its text alone, since
 *   several peers leave its type to a later stage that knows the schema; an instant is its point in time;
 * - a name with a dot in a path is a cast;
 * - `$it` is left out, function names are in lower case, an alternative form of a list is the same list.
 *
 * @param {import('./tree.mjs').Expression} expression
 * @returns {string} equal for two expressions exactly when they mean the same
 */
export function canonical(expression) {
  return JSON.stringify(reduce(expression, []))
}

/** @param {readonly string[]} variables lambda variables in scope, outermost first */
function reduce(node, variables) {
  switch (node.kind) {
    case 'literal':
      return literal(node)
    case 'path':
      return { path: pathSteps(node, variables) }
    case 'unary':
      return node.operator === 'not'
        ? negation(reduce(node.operand, variables))
        : minus(reduce(node.operand, variables))
    case 'binary':
      return binary(node, variables)
    case 'call':
      return { call: node.function.toLowerCase(), arguments: node.arguments.map(item => reduce(item, variables)) }
    case 'lambda':
      return lambda(node, variables)
    case 'list':
      return { list: node.items.map(item => reduce(item, variables)) }
    case 'object':
      return { object: node.members.map(member => [member.name, reduce(member.value, variables)]) }
    case 'alias':
      return { alias: node.name }
    case 'type':
      return { type: node.name, collection: node.collection }
    default:
      throw new TypeError(`an expression of kind ${node.kind} has no canonical form`)
  }
}

function literal({ type, value, enumType }) {
  if (value === null || typeof value === 'boolean') return { constant: value }
  if (type === 'Integer' || type === 'Decimal' || type === 'Double') return { number: numberValue(value) }
  return { text: type === 'Enum' ? `${enumType}'${value}'` : textValue(value) }
}

/** The value of a decimal text: its significant digits and the exponent of ten. */
function numberValue(written) {
  const parts = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(written)
  if (parts === null) return written
  const [, sign, whole, fraction = '', exponent = '0'] = parts
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const power = Number(exponent) - fraction.length + (digits.length - significant.length)
  return `${sign === '-' ? '-' : ''}${significant}e${power}`
}

/** An instant as its point in time, a guid in lower case, any other text as it is. */
function textValue(written) {
  return (
    instant(written) ?? (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(written) ? written.toLowerCase() : written)
  )
}

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/i

function instant(written) {
  const time = timestamp.test(written) ? Date.parse(written) : Number.NaN
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

function negation(operand) {
  return 'not' in operand ? operand.not : { not: operand }
}

function minus(operand) {
  if (!('number' in operand)) return { minus: operand }
  return { number: operand.number.startsWith('-') ? operand.number.slice(1) : `-${operand.number}` }
}

function binary({ operator, left, right }, variables) {
  const operands = [reduce(left, variables), reduce(right, variables)]
  if (operator !== 'and' && operator !== 'or') return { [operator]: operands }
  return { [operator]: operands.flatMap(operand => operand[operator] ?? [operand]) }
}

function lambda({ operator, collection, variable, predicate }, variables) {
  const any = of => ({ any: { path: pathSteps(collection, variables) }, predicate: of })
  if (predicate === undefined) return any(null)
  const inner = reduce(predicate, [...variables, variable])
  return operator === 'any' ? any(inner) : negation(any(negation(inner)))
}

function pathSteps({ root, segments }, variables) {
  const steps = segments.map(segment => step(segment, variables))
  if (root === undefined || root.kind === 'it') return steps
  return [root.kind === 'variable' ? `#${variables.lastIndexOf(root.name)}` : `$${root.kind}`, ...steps]
}

function step(segment, variables) {
  switch (segment.kind) {
    case 'property':
      return segment.name.includes('.') ? { cast: segment.name } : segment.name
    case 'cast':
      return { cast: segment.type }
    case 'key':
      return { key: segment.values.map(({ name, value }) => [name ?? null, reduce(value, variables)]) }
    case 'function':
      return { function: segment.name, parameters: segment.parameters.map(p => [p.name, reduce(p.value, variables)]) }
    case 'count':
      return segment.filter === undefined && segment.search === undefined
        ? '$count'
        : { count: segment.filter === undefined ? null : reduce(segment.filter, []), search: segment.search ?? null }
    case 'annotation':
      return { annotation: segment.term, qualifier: segment.qualifier ?? null }
    default:
      throw new TypeError(`a path segment of kind ${segment.kind} has no canonical form`)
  }
}
