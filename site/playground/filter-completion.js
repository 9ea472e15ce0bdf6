// What can follow in a `$filter`, from what the endpoint declares.

/** What a filter of an endpoint may contain: `properties` by path, with their types; names of operators and functions. */
export const noFilter = { properties: [], operators: [], functions: [], lambdas: [] }

const comparison = new Set(['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'has', 'in'])
const arithmetic = new Set(['add', 'sub', 'mul', 'div', 'divby', 'mod'])
const logical = new Set(['and', 'or'])
const infix = new Set([...comparison, ...arithmetic, ...logical])

const token = /'(?:[^']|'')*'?|[\w$@:.+-][\w$@:./+-]*|[(),]|\s+/g

/**
 * The proposals for the word that ends at a position.
 *
 * @returns where the word starts, and what it may be: `label`, `type` for an icon, `detail`, and `apply`, the text to insert
 */
export function completeFilter(text, position, { properties, operators, functions, lambdas } = noFilter) {
  const before = [...text.slice(0, position).matchAll(token)]
  const last = before.at(-1)
  const isWord = last !== undefined && /^[\w$]/.test(last[0]) && last.index + last[0].length === position
  const isOpenText = last !== undefined && /^'/.test(last[0]) && !isClosed(last[0])
  if (isOpenText && !before.some(([each]) => comparison.has(each))) return { from: position, options: [] }
  const from = isWord || isOpenText ? last.index : position
  const words = before
    .filter(({ index }) => index < from)
    .map(([each]) => each)
    .filter(each => each.trim() !== '')
  const previous = words.at(-1)
  const subject = properties.find(({ path }) => path === words.at(-2))
  const options = endsOperand(previous)
    ? operators.filter(name => infix.has(name)).map(label => ({ label, type: 'keyword', apply: `${label} ` }))
    : comparison.has(previous)
      ? [...literals(subject), ...names(properties)]
      : [
          ...names(properties),
          ...functions.map(label => ({ label, type: 'function', detail: '(…)', apply: `${label}(` })),
          ...lambdaNames(properties, lambdas),
          ...(operators.includes('not') ? [{ label: 'not', type: 'keyword', apply: 'not ' }] : []),
        ]
  return { from, options }
}

const isClosed = text => text.length > 1 && text.replaceAll("''", '').endsWith("'") && text.replaceAll("''", '').length > 1

/** Whether an operator must follow: after a property, a literal or a parenthesis. */
function endsOperand(previous) {
  return previous !== undefined && !infix.has(previous) && !/^(?:not|[(,])$/.test(previous)
}

function names(properties) {
  return properties
    .filter(({ collection }) => !collection)
    .map(({ path, type }) => ({ label: path, type: 'property', detail: type, apply: `${path} ` }))
}

function lambdaNames(properties, lambdas) {
  return properties
    .filter(({ collection }) => collection)
    .flatMap(({ path }) => lambdas.map(name => ({ label: `${path}/${name}`, type: 'function', apply: `${path}/${name}(x:x` })))
}

/** Literals of the type on the other side of a comparison. */
function literals(property) {
  const texts = property?.members?.map(name => `'${name}'`) ?? samples[property?.type] ?? []
  return [...texts, ...(property?.nullable ? ['null'] : [])].map(label => ({ label, type: 'constant' }))
}

const samples = {
  Boolean: ['true', 'false'],
  Date: ['2026-12-24'],
  DateTimeOffset: ['2026-12-24T18:00:00Z', 'now()'],
  TimeOfDay: ['18:00:00'],
  Duration: ["duration'PT1H'"],
  Guid: ['00000000-0000-0000-0000-000000000000'],
  String: ["''"],
}
