// Conditions of a filter, as text and as an expression of the generated client. The page offers what the endpoint supports.

import { literal as code, text as quoted } from './request.mjs'

/**
 * A condition: a field that the page describes, the lambda operator that leads to it, the function of it (`tolower`), whether it is
 * negated, what it is compared with and how.
 *
 * @typedef {{ field: object, lambda?: string, operand?: object, negated?: boolean, operator: string, value: string }} Condition
 */

/** Operators that need no value. */
export const nullOperators = { 'is null': 'eq', 'is not null': 'ne' }

const isPredicate = ({ field, operator }) => field.predicates.includes(operator)

/** What can compare a field or a function of it: its operators and predicates, and those with null. */
export function operatorsOf(field, operand) {
  const operators = operand?.operators ?? []
  const isOwn = operand?.function === undefined
  return [
    ...operators,
    ...(isOwn ? field.predicates : []),
    ...(isOwn && field.nullable
      ? Object.keys(nullOperators).filter(name => operators.includes(nullOperators[name]))
      : []),
  ]
}

/** Whether a condition says enough: a text can be empty, other values cannot. */
export const isComplete = ({ operand, field, operator, value }) =>
  operator !== '' &&
  (Object.hasOwn(nullOperators, operator) ||
    value.trim() !== '' ||
    (formOf({ field, operand }) === 'text' && operator !== 'in'))

const formOf = ({ operand, field }) => operand?.form ?? field.operands[0]?.form ?? 'text'

function literalOf(form, value) {
  if (form === 'text' || form === 'enumeration') return `'${value.replaceAll("'", "''")}'`
  if (form === 'duration' || form === 'binary') return `${form}'${value.trim().replaceAll("'", "''")}'`
  return value.trim()
}

const listed = value => value.split(',').flatMap(each => each.trim() || [])

function conditionText(condition) {
  const { field, lambda, operand, negated, operator, value } = condition
  const path = lambda === undefined ? field.path : field.path === '' ? 'x' : `x/${field.path}`
  const subject = operand?.function === undefined ? path : `${operand.function}(${path})`
  const form = formOf(condition)
  const plain = Object.hasOwn(nullOperators, operator)
    ? `${subject} ${nullOperators[operator]} null`
    : isPredicate(condition)
      ? `${operator}(${subject},${literalOf('text', value)})`
      : `${subject} ${operator} ${
          operator === 'in'
            ? `(${listed(value)
                .map(each => literalOf(form, each))
                .join(',')})`
            : literalOf(form, value)
        }`
  const whole = lambda === undefined ? plain : `${field.collection.path}/${lambda}(x:${plain})`
  return negated ? `not (${whole})` : whole
}

/**
 * A group of conditions and of other groups. `logical` combines them: `and` or `or`.
 *
 * @typedef {{ members: (Condition | Group)[], logical: string }} Group
 */

/** What says enough: nothing, a condition, or a group of at least two members. */
function reduced(node) {
  if (node.members === undefined) return isComplete(node) ? node : undefined
  const members = node.members.flatMap(each => reduced(each) ?? [])
  return members.length > 1 ? { ...node, members } : members[0]
}

/** The text of `$filter`; empty without complete conditions. */
export function filterText(group) {
  const node = reduced(group)
  return node === undefined ? '' : textOf(node)
}

function textOf({ members, logical, ...condition }) {
  if (members === undefined) return conditionText(condition)
  return members.map(each => (each.members === undefined ? textOf(each) : `(${textOf(each)})`)).join(` ${logical} `)
}

const predicates = { startswith: 'startsWith', endswith: 'endsWith', contains: 'contains', tolower: 'tolower' }
/** Functions of one argument that the client's builder can call by name. */
const callable =
  /^(?:length|toupper|trim|year|month|day|hour|minute|second|fractionalseconds|totalseconds|totaloffsetminutes|round|floor|ceiling)$/

function conditionCode(condition) {
  const { field, lambda, operand, negated, operator, value } = condition
  const builder = lambda === undefined ? 'f' : 'x'
  const path = quoted(lambda !== undefined && field.path === '' ? '$it' : field.path)
  const name = operand?.function?.toLowerCase()
  const predicate = isPredicate(condition) ? predicates[operator.toLowerCase()] : undefined
  if (
    (name !== undefined && name !== 'tolower' && !callable.test(name)) ||
    (isPredicate(condition) && predicate === undefined)
  )
    return `f.raw(${quoted(conditionText(condition))})`
  const subject =
    name === undefined
      ? path
      : name === 'tolower'
        ? `${builder}.tolower(${path})`
        : `${builder}.call(${quoted(name)}, ${path})`
  const form = formOf(condition)
  const plain = Object.hasOwn(nullOperators, operator)
    ? `${builder}.${nullOperators[operator]}(${subject}, null)`
    : predicate !== undefined
      ? `${builder}.${predicate}(${subject}, ${quoted(value)})`
      : `${builder}.${operator}(${subject}, ${
          operator === 'in'
            ? `[${listed(value)
                .map(each => code(form, each))
                .join(', ')}]`
            : code(form, value.trim() === '' ? value : value.trim())
        })`
  const whole = lambda === undefined ? plain : `f.${lambda}(${quoted(field.collection.path)}, x => ${plain})`
  return negated ? `f.not(${whole})` : whole
}

/** The filter as an expression of the client's builder; empty without complete conditions. */
export function filterCode(group) {
  const node = reduced(group)
  return node === undefined ? '' : codeOf(node)
}

function codeOf({ members, logical, ...condition }) {
  return members === undefined ? conditionCode(condition) : `f.${logical}(${members.map(codeOf).join(', ')})`
}
