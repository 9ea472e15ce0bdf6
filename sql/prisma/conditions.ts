import {
  type BinaryExpression,
  type Expression,
  evaluate,
  type FunctionCall,
  type LambdaExpression,
  type Literal,
  type PathExpression,
  primitiveType,
} from '../../runtime/query/index.js'
import { unsupportedQuery } from '../query-faults.js'
import { parseEnum } from '../values/codec.js'
import type { Field, Model, PrismaSchema, Relation } from './prisma-mapping.js'
import { type Point, pointOf } from './values.js'
import {
  allOf,
  always,
  and,
  anyOf,
  behind,
  known,
  never,
  not,
  or,
  type Step,
  type Truth,
  unknown,
  type Where,
} from './where.js'

/** The item that a condition is about. */
export interface ConditionContext {
  readonly schema: PrismaSchema
  readonly model: Model
  /** The variable of the enclosing lambda. */
  readonly variable?: string | undefined
  readonly aliases: Readonly<Record<string, Expression>>
  readonly option: string
}

/**
 * Translates a filter to conditions of Prisma.
 *
 * @throws {RequestFault} for what Prisma cannot express
 */
export function truthOf(expression: Expression, context: ConditionContext): Truth {
  switch (expression.kind) {
    case 'literal':
      return constantTruth(expression.value)
    case 'alias':
      return truthOf(aliased(expression, context), context)
    case 'unary':
      if (expression.operator === 'not') return not(truthOf(expression.operand, context))
      break
    case 'binary':
      return binaryTruth(expression, context)
    case 'call':
      return callTruth(expression, context)
    case 'lambda':
      return lambdaTruth(expression, context)
    case 'path': {
      const { steps, field } = valueAt(expression, context)
      if (field === undefined || field.type.kind !== 'boolean') break
      return onValue(steps, field, known({ [field.name]: true }, { [field.name]: false }), unknown)
    }
  }
  throw unsupportedQuery(context.option, 'Prisma has no condition for a part of it.')
}

function constantTruth(value: unknown): Truth {
  if (value === true) return known(always, never)
  return value === false ? known(never, always) : unknown
}

/** The value of `@p`. An undefined alias is null. */
function aliased(expression: Expression, { aliases }: ConditionContext): Expression {
  if (expression.kind !== 'alias') return expression
  const value = Object.hasOwn(aliases, expression.name) ? aliases[expression.name] : undefined
  return value ?? { kind: 'literal', type: 'null', value: null }
}

function binaryTruth(expression: BinaryExpression, context: ConditionContext): Truth {
  const { operator } = expression
  switch (operator) {
    case 'and':
      return allOf(chain(expression).map(part => truthOf(part, context)))
    case 'or':
      return anyOf(chain(expression).map(part => truthOf(part, context)))
    case 'in':
      return membership(expression, context)
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge': {
      const left = aliased(expression.left, context)
      const right = aliased(expression.right, context)
      if (isConstant(left) && isConstant(right)) return constantTruth(evaluate({ ...expression, left, right }, {}))
      const [literal, reversed] = [literalOf(right), literalOf(left)]
      if (literal !== undefined) return comparison(operator, left, literal, context)
      if (reversed !== undefined) return comparison(mirrored[operator], right, reversed, context)
      throw unsupportedQuery(context.option, 'Prisma compares properties with literals only.')
    }
    default:
      throw unsupportedQuery(context.option, `Prisma has no '${operator}'.`)
  }
}

/** The operands of a left-associative chain such as `a and b and c`. */
function chain(expression: BinaryExpression): readonly Expression[] {
  const found: Expression[] = []
  let rest: Expression = expression
  while (rest.kind === 'binary' && rest.operator === expression.operator) {
    found.push(rest.right)
    rest = rest.left
  }
  found.push(rest)
  return found.reverse()
}

function isConstant(expression: Expression): boolean {
  return literalOf(expression) !== undefined
}

/** A literal, or a literal number with a minus sign. */
function literalOf(expression: Expression): Literal | undefined {
  if (expression.kind === 'literal') return expression
  if (expression.kind !== 'unary' || expression.operator !== 'negate') return undefined
  const inner = literalOf(expression.operand)
  if (inner === undefined || typeof inner.value !== 'string' || inner.type === 'Enum') return undefined
  if (inner.type !== 'Integer' && inner.type !== 'Decimal' && inner.type !== 'Double') return undefined
  return { ...inner, value: inner.value.startsWith('-') ? inner.value.slice(1) : `-${inner.value}` }
}

type Operator = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge'

const mirrored: Readonly<Record<Operator, Operator>> = { eq: 'eq', ne: 'ne', lt: 'gt', le: 'ge', gt: 'lt', ge: 'le' }

/** Comparisons are never unknown: null equals only null, and has no order. */
function comparison(operator: Operator, compared: Expression, literal: Literal, context: ConditionContext): Truth {
  if (compared.kind !== 'path') throw unsupportedQuery(context.option, 'Prisma compares properties with literals only.')
  const { steps, field } = valueAt(compared, context)
  if (literal.type === 'null') {
    if (operator !== 'eq' && operator !== 'ne') return known(never, always)
    const isNull = field === undefined ? known(never, always) : nullTruth(field, context)
    const found = behind(steps, isNull, known(always, never))
    return operator === 'eq' ? found : not(found)
  }
  if (field === undefined) throw unsupportedQuery(context.option, 'A relation can be compared with null only.')
  if (operator === 'ne') return not(valueTruth('eq', steps, field, literal, context))
  return valueTruth(operator, steps, field, literal, context)
}

function nullTruth({ name, type, path, place, nullable, property }: Field, { option }: ConditionContext): Truth {
  if (place === undefined) return known(always, never)
  if (path !== undefined || property.collection || type.kind === 'json')
    throw unsupportedQuery(option, `Prisma cannot compare '${property.name}' with null.`)
  return nullable ? known({ [name]: null }, { [name]: { not: null } }) : known(never, always)
}

function valueTruth(
  operator: Exclude<Operator, 'ne'>,
  steps: readonly Step[],
  field: Field,
  literal: Literal,
  context: ConditionContext,
): Truth {
  return onValue(steps, field, valueCondition(operator, field, literal, context), known(never, always))
}

/** A condition on a value that is not null, and what it is for null. */
function onValue(steps: readonly Step[], field: Field, present: Truth, missing: Truth): Truth {
  if (field.place === undefined) return missing
  const isNull: Where = { [field.name]: null }
  const orNull = (here: Where, otherwise: Where): Where => or([here, and([isNull, otherwise])])
  const found = field.nullable
    ? {
        isTrue: orNull(present.isTrue, missing.isTrue),
        isNotTrue: orNull(present.isNotTrue, missing.isNotTrue),
        isFalse: orNull(present.isFalse, missing.isFalse),
        isNotFalse: orNull(present.isNotFalse, missing.isNotFalse),
      }
    : present
  return behind(steps, found, missing)
}

/** A comparison of a field whose value is not null. The conditions are false for null. */
function valueCondition(
  operator: Exclude<Operator, 'ne'>,
  field: Field,
  literal: Literal,
  context: ConditionContext,
): Truth {
  const { name, type, path, property, nullable } = field
  const { option } = context
  if (path !== undefined || property.collection)
    throw unsupportedQuery(option, `Prisma cannot compare '${property.name}' as OData does.`)
  const every = nullable ? { [name]: { not: null } } : always
  const all = known(every, never)
  const none = known(never, every)
  if (type.kind === 'boolean') {
    if (operator !== 'eq' || typeof literal.value !== 'boolean')
      throw unsupportedQuery(option, 'Prisma compares Boolean values with true and false only.')
    return known({ [name]: literal.value }, { [name]: !literal.value })
  }
  if (type.kind === 'enum') return enumCondition(operator, name, type.enumType, literal, option)
  const point = comparedPoint(field, literal, context)
  const isLess = operator === 'lt' || operator === 'le'
  if (point === 'unordered') return none
  if (point === 'above' || point === 'below') return operator !== 'eq' && isLess === (point === 'above') ? all : none
  if (operator === 'eq') return point.exact ? known({ [name]: point.value }, { [name]: { not: point.value } }) : none
  const exact = point.exact ? operator : isLess ? 'le' : 'gt'
  const [meets, misses] = comparisons[exact]
  return known({ [name]: { [meets]: point.value } }, { [name]: { [misses]: point.value } })
}

/** A literal among the values of a field. */
function comparedPoint({ type, path, property }: Field, literal: Literal, { option }: ConditionContext): Point {
  if (path !== undefined || property.collection)
    throw unsupportedQuery(option, `Prisma cannot compare '${property.name}' as OData does.`)
  const { type: of } = property
  const edm = of.kind === 'primitive' ? of.name : of.kind === 'typeDefinition' ? of.underlying : ''
  return pointOf(literal, type, primitiveType(`Edm.${edm}`)?.range ?? [-(2n ** 63n), 2n ** 63n - 1n], option)
}

const comparisons = { lt: ['lt', 'gte'], le: ['lte', 'gt'], gt: ['gt', 'lte'], ge: ['gte', 'lt'] } as const

/** Databases order enumerations differently, so that the members are listed. */
function enumCondition(
  operator: Exclude<Operator, 'ne'>,
  name: string,
  enumType: Field['type']['enumType'],
  literal: Literal,
  option: string,
): Truth {
  const value =
    enumType === undefined || typeof literal.value !== 'string' ? undefined : parseEnum(literal.value, enumType)
  if (enumType === undefined || value === undefined)
    throw unsupportedQuery(option, `'${String(literal.value)}' is not a member of the enumeration.`)
  const meets = { eq: 0, lt: -1, le: -1, gt: 1, ge: 1 }[operator]
  const isMet = (member: number): boolean => {
    const order = Math.sign(member - value)
    return order === meets || (order === 0 && operator !== 'lt' && operator !== 'gt')
  }
  const [inside, outside] = [true, false].map(wanted =>
    enumType.members.filter(member => isMet(member.value) === wanted).map(member => member.name),
  )
  return known({ [name]: { in: inside } }, { [name]: { in: outside } })
}

function membership({ left, right }: BinaryExpression, context: ConditionContext): Truth {
  const list = aliased(right, context)
  const literals = list.kind === 'list' ? list.items.map(item => literalOf(aliased(item, context))) : []
  if (left.kind !== 'path' || list.kind !== 'list' || literals.includes(undefined))
    throw unsupportedQuery(context.option, "Prisma supports 'in' with properties and lists of literals only.")
  const given = literals.flatMap(literal => literal ?? [])
  const { steps, field } = valueAt(left, context)
  if (field === undefined || field.type.kind === 'enum' || field.type.kind === 'boolean')
    return anyOf(given.map(literal => comparison('eq', left, literal, context)))
  const values = given
    .filter(({ type }) => type !== 'null')
    .map(literal => comparedPoint(field, literal, context))
    .flatMap(point => (typeof point === 'object' && point.exact ? [point.value] : []))
  const hasNull = given.some(({ type }) => type === 'null')
  if (hasNull) nullTruth(field, context)
  const { name, nullable } = field
  const present =
    values.length === 0
      ? known(never, nullable ? { [name]: { not: null } } : always)
      : known({ [name]: { in: values } }, { [name]: { notIn: values } })
  return onValue(steps, field, present, hasNull ? known(always, never) : known(never, always))
}

const textFunctions = new Map([
  ['contains', 'contains'],
  ['startswith', 'startsWith'],
  ['endswith', 'endsWith'],
])

function callTruth({ function: name, arguments: given }: FunctionCall, context: ConditionContext): Truth {
  const filter = textFunctions.get(name)
  const [text, part] = given.map(each => aliased(each, context))
  if (filter === undefined || text?.kind !== 'path' || part?.kind !== 'literal')
    throw unsupportedQuery(context.option, `Prisma has no condition for this call of '${name}'.`)
  if (part.type === 'null') return unknown
  const { steps, field } = valueAt(text, context)
  if (field?.type.kind !== 'string' || field.path !== undefined || part.type !== 'String')
    throw unsupportedQuery(context.option, `Prisma has no condition for this call of '${name}'.`)
  const point = pointOf(part, field.type, [0n, 0n], context.option)
  const value = typeof point === 'object' ? String(point.value) : ''
  // Prisma leaves the wildcards of LIKE as they are.
  const escaped = value.replace(/[\\%_]/g, '\\$&')
  const found = { [field.name]: { [filter]: escaped } }
  return onValue(steps, field, known(found, { [field.name]: { not: { [filter]: escaped } } }), unknown)
}

/** The place of a path: the relations to one that lead to it, and the field; without a field, it is the related item. */
function valueAt(path: PathExpression, context: ConditionContext): { steps: readonly Step[]; field?: Field } {
  const { steps, rest, model } = relatedAt(path, context)
  const [name, ...more] = rest
  if (name === undefined) return { steps }
  const field = model.fields.get(name)
  if (field === undefined || more.length > 0)
    throw unsupportedQuery(context.option, `Prisma has no condition for '${[name, ...more].join('/')}'.`)
  const joined = (field.place ?? []).map(relation => ({ relation, visible: always, nullable: true }))
  return { steps: [...steps, ...joined], field }
}

interface RelatedPlace {
  readonly steps: readonly Step[]
  readonly model: Model
  /** The names behind the last relation to one. */
  readonly rest: readonly string[]
}

function relatedAt({ root, segments }: PathExpression, context: ConditionContext): RelatedPlace {
  const { option, schema, variable } = context
  const isItem = variable === undefined ? root === undefined : root?.kind === 'variable' && root.name === variable
  if (!isItem) throw unsupportedQuery(option, 'Prisma cannot refer to another item in a condition.')
  const names = segments.map(segment => {
    if (segment.kind !== 'property') throw unsupportedQuery(option, `Prisma has no condition for a ${segment.kind}.`)
    return segment.name
  })
  const steps: Step[] = []
  let { model } = context
  let index = 0
  for (; index < names.length; index++) {
    const navigation = model.type.navigation.find(({ name }) => name === names[index])
    if (navigation === undefined || navigation.collection) break
    const { field, nullable, through } = model.relationOf(navigation)
    if (through !== undefined) throw unsupportedQuery(option, 'Prisma has no condition for this relation.')
    model = schema.modelOf(navigation.type)
    steps.push({ relation: field, visible: model.visible, nullable })
  }
  return { steps, model, rest: names.slice(index) }
}

function lambdaTruth(lambda: LambdaExpression, context: ConditionContext): Truth {
  const { steps, model, rest } = relatedAt(lambda.collection, context)
  const [name, ...more] = rest
  const navigation = model.type.navigation.find(candidate => candidate.name === name)
  const field = name === undefined ? undefined : model.fields.get(name)
  if (more.length > 0 || (navigation === undefined && field === undefined))
    throw unsupportedQuery(context.option, 'Prisma has no condition for this collection.')
  const present =
    navigation === undefined
      ? listTruth(lambda, field, context)
      : relationTruth(lambda, model.relationOf(navigation), context)
  return behind(steps, present, lambda.operator === 'any' ? known(never, always) : known(always, never))
}

function relationTruth(
  { operator, predicate, variable }: LambdaExpression,
  relation: Relation,
  context: ConditionContext,
): Truth {
  const model = context.schema.modelOf(relation.navigation.type)
  const inner = predicate === undefined ? known(always, never) : truthOf(predicate, { ...context, model, variable })
  const item = and([model.visible, operator === 'any' ? inner.isTrue : inner.isNotTrue])
  const where = item === never ? never : related(relation, item)
  const some = where === never ? never : { [relation.field]: { some: where } }
  const none = where === never ? always : { [relation.field]: { none: where } }
  return operator === 'any' ? known(some, none) : known(none, some)
}

/** A condition on the items of a relation to many, as Prisma finds them behind its field. */
export function related({ through: to }: Relation, where: Where): Where {
  return to === undefined ? where : and([{ [to]: { is: where } }])
}

/** Lists of strings and numbers: whether they have one of some values. */
function listTruth(
  { operator, predicate, variable }: LambdaExpression,
  field: Field | undefined,
  { option }: ConditionContext,
): Truth {
  if (field === undefined || field.place === undefined || field.place.length > 0 || field.path !== undefined)
    throw unsupportedQuery(option, 'Prisma has no condition for this collection.')
  const { name } = field
  // Prisma reads an array that is null as an empty one.
  const isEmpty = or([{ [name]: { isEmpty: true } }, { [name]: { equals: null } }])
  if (predicate === undefined) return known({ [name]: { isEmpty: false } }, isEmpty)
  const values = soughtValues(
    operator === 'any' ? predicate : { kind: 'unary', operator: 'not', operand: predicate },
    variable,
  )
  const texts = values?.map(value => pointOf(value, { kind: 'string' }, [0n, 0n], option))
  const { type } = field.property
  if (texts === undefined || type.kind !== 'primitive' || type.name !== 'String')
    throw unsupportedQuery(option, "In such a collection, Prisma finds only values that are equal: 'any' with 'eq'.")
  const hasSome = { [name]: { hasSome: texts.map(point => (typeof point === 'object' ? point.value : '')) } }
  const hasNone = or([{ [name]: { equals: null } }, { NOT: hasSome }])
  return operator === 'any' ? known(hasSome, hasNone) : known(hasNone, hasSome)
}

/** The values of which a predicate requires one; undefined if it requires anything else. */
function soughtValues(predicate: Expression, variable: string | undefined): readonly Literal[] | undefined {
  if (predicate.kind === 'unary' && predicate.operator === 'not') {
    const { operand } = predicate
    if (operand.kind === 'unary' && operand.operator === 'not') return soughtValues(operand.operand, variable)
    if (operand.kind !== 'binary') return undefined
    if (operand.operator === 'ne') return soughtValues({ ...operand, operator: 'eq' }, variable)
    if (operand.operator !== 'and') return undefined
    return soughtValues(
      { ...operand, operator: 'or', left: negation(operand.left), right: negation(operand.right) },
      variable,
    )
  }
  if (predicate.kind !== 'binary') return undefined
  const { operator, left, right } = predicate
  if (operator === 'or') {
    const [one, other] = [soughtValues(left, variable), soughtValues(right, variable)]
    return one === undefined || other === undefined ? undefined : [...one, ...other]
  }
  const isItem = left.kind === 'path' && left.root?.kind === 'variable' && left.root.name === variable
  if (!isItem || left.segments.length > 0) return undefined
  const items = operator === 'in' && right.kind === 'list' ? right.items : operator === 'eq' ? [right] : undefined
  const values = items?.map(literalOf)
  return values?.every(value => value?.type === 'String') === true ? values.flatMap(value => value ?? []) : undefined
}

function negation(operand: Expression): Expression {
  return { kind: 'unary', operator: 'not', operand }
}
