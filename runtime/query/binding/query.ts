import type { ComputeItem, ExpandItem, Expression, OrderbyItem, QueryOptions, SelectItem } from '../ast.js'
import { isComparableTypeName } from '../primitive-types.js'
import { expandedSize, expressionsIn } from '../traversal.js'
import type { TypeTable } from '../type-table.js'
import {
  type BindingContext,
  type BindingError,
  type BindingScope,
  contextAt,
  maxBindingDepth,
  report,
  rootContext,
} from './context.js'
import { bindCast, bindNode } from './expression.js'
import { isAssignable, memberType, structuredInfo, unknownProperty, unqualifiedName } from './names.js'
import { checkBoolean, pathText } from './operators.js'
import { declaredType, describeType, type StaticType, untyped } from './static-type.js'

/** A query of more nodes, each alias replaced by its value, is refused: what the longest URL can hold without aliases. */
const maxQuerySize = 20_000

/**
 * What does not fit when a parsed query is put to items of a type: names that the type lacks, operands that do not go
 * together, relations where values are needed. Empty when all fits. Never throws.
 *
 * @param typeName a name of the type table, or `Edm.String` and so on for a collection of primitive values
 * @see OData URL Conventions 4.01, 5.1
 */
export function bindQuery(
  options: QueryOptions,
  types: TypeTable,
  typeName: string,
  scope: BindingScope = {},
): readonly BindingError[] {
  const frame = rootContext(types, typeName, scope, options.aliases ?? {})
  if (options.levels !== undefined) {
    report({ ...frame, option: '$levels' }, 'notApplicable', "'$levels' may only stand inside '$expand'.")
  }
  const sizes = new Map<string, number>()
  const size = expressionsIn(options).reduce((sum, each) => sum + expandedSize(each, frame.aliases, sizes), 0)
  if (size > maxQuerySize) {
    report(frame, 'tooComplex', `The query has more than ${maxQuerySize} terms, aliases replaced. Write a smaller one.`)
  } else {
    bindOptions(options, frame)
  }
  return frame.state.errors
}

/** Binds the options of a request, or those nested in an item of `$expand` or `$select`. */
function bindOptions(options: QueryOptions, frame: BindingContext): void {
  const { filter, orderby, select, expand, compute } = options
  let inner = frame
  if (compute !== undefined) inner = { ...frame, computed: bindCompute(compute, { ...frame, option: '$compute' }) }
  if (filter !== undefined) {
    const at = { ...inner, option: '$filter' }
    checkBoolean(bindNode(filter, at), 'The condition of $filter', at)
  }
  if (orderby !== undefined) bindOrderby(orderby, { ...inner, option: '$orderby' })
  if (select !== undefined) bindSelect(select, { ...inner, option: '$select' })
  if (expand !== undefined) bindExpand(expand, { ...inner, option: '$expand' })
}

/** The type of an expression, and what in it does not fit; `type` is `untyped` where it cannot be told. */
export interface BoundExpression {
  readonly type: StaticType
  readonly errors: readonly BindingError[]
}

/**
 * Puts one expression to an item of a type. Never throws.
 *
 * @param typeName a name of the type table, or `Edm.String` and so on
 * @param aliases the values of parameter aliases; those without a value may be declared in `scope.parameters`
 */
export function bindExpression(
  expression: Expression,
  types: TypeTable,
  typeName: string,
  scope: BindingScope = {},
  aliases: Readonly<Record<string, Expression>> = {},
): BoundExpression {
  const frame = rootContext(types, typeName, scope, aliases)
  const type = bindNode(expression, frame)
  return { type, errors: frame.state.errors }
}

/**
 * Each key of `$orderby` must be one value that has an order.
 *
 * @see OData URL Conventions 4.01, 5.1.5
 */
function bindOrderby(items: readonly OrderbyItem[], frame: BindingContext): void {
  for (const { expression } of items) {
    const type = bindNode(expression, frame)
    if (isOrdered(type)) continue
    const message = `'$orderby' needs a value that has an order, but found ${describeType(type)}.`
    report(frame, 'notAValue', message, pathText(expression))
  }
}

function isOrdered(type: StaticType): boolean {
  if (type.kind === 'null' || type.kind === 'untyped' || type.kind === 'enum') return true
  return type.kind === 'primitive' && isComparableTypeName(type.name)
}

/** The names that `$compute` adds, with their types. A name must not hide a property, nor be given twice. */
function bindCompute(items: readonly ComputeItem[], frame: BindingContext): ReadonlyMap<string, StaticType> {
  const computed = new Map<string, StaticType>()
  const { current } = frame
  for (const { expression, alias } of items) {
    const type = bindNode(expression, { ...frame, computed })
    const isProperty =
      (current.kind === 'entity' || current.kind === 'complex') &&
      (memberType(alias, current.name, frame.types)?.kind ?? 'untyped') !== 'untyped'
    if (isProperty || computed.has(alias)) {
      report(frame, 'duplicate', `The name '${alias}' of a computed property is taken. Choose another.`, alias)
    }
    computed.set(alias, type)
  }
  return computed
}

/**
 * Each path of `$select` must lead to a property or relation, and none may stand twice.
 *
 * @see OData URL Conventions 4.01, 5.1.4
 */
function bindSelect(items: readonly SelectItem[], frame: BindingContext): void {
  const seen = new Set<string>()
  for (const { path, options } of items) {
    const text = path.join('/')
    if (seen.has(text)) report(frame, 'duplicate', `'${text}' stands twice in '$select'. Write it once.`, text)
    seen.add(text)
    const type = selectedType(path, frame)
    if (options === undefined) continue
    checkCollectionOptions(options, type.kind === 'collection' || type.kind === 'untyped', text, frame)
    bindOptions(options, contextAt(frame, type.kind === 'collection' ? type.of : type))
  }
}

function selectedType(path: readonly string[], frame: BindingContext): StaticType {
  let type = frame.current
  let relation: string | undefined
  for (const [index, name] of path.entries()) {
    if (type.kind === 'untyped' || name === '*' || name.startsWith('@')) return untyped
    const text = path.slice(0, index + 1).join('/')
    if (relation !== undefined && !name.includes('.')) {
      const message = `'$select' ends at the relation '${relation}'. Use '$expand=${relation}($select=${name})'.`
      report(frame, 'notAStructure', message, text)
      return untyped
    }
    if (index === 0 && frame.computed.has(name)) return frame.computed.get(name) ?? untyped
    if (name.includes('.')) {
      if (isOperation(name, frame)) return untyped
      type = bindCast(name, type, frame)
      continue
    }
    const owner: StaticType = type.kind === 'collection' ? type.of : type
    if (owner.kind !== 'entity' && owner.kind !== 'complex') {
      report(frame, 'notAStructure', `'${text}' leads into a value that has no properties.`, text)
      return untyped
    }
    const member = memberType(name, owner.name, frame.types)
    if (member === undefined) {
      report(frame, 'unknownProperty', unknownProperty(name, owner.name, frame.types, frame.computed.keys()), text)
      return untyped
    }
    if (Object.hasOwn(structuredInfo(owner.name, frame.types)?.navigation ?? {}, name)) relation = name
    type = member
  }
  return type
}

/** `ns.*` stands for all operations of a namespace, `ns.name` for one, `ns.name(a,b)` for one of its overloads. */
function isOperation(name: string, frame: BindingContext): boolean {
  const parameters = name.indexOf('(')
  const unqualified = unqualifiedName(parameters < 0 ? name : name.slice(0, parameters), frame)
  return unqualified === '*' || (unqualified !== undefined && Object.hasOwn(frame.scope.functions ?? {}, unqualified))
}

/**
 * Each path of `$expand` must lead to a relation, none may stand twice, and the nested options must fit its items.
 *
 * @see OData URL Conventions 4.01, 5.1.3
 */
function bindExpand(items: readonly ExpandItem[], frame: BindingContext): void {
  const { state: run } = frame
  if (run.depth >= maxBindingDepth) {
    report(frame, 'tooComplex', `'$expand' is nested more than ${maxBindingDepth} levels deep.`)
    return
  }
  run.depth++
  const seen = new Set<string>()
  for (const item of items) {
    const text = item.path.join('/')
    if (seen.has(text)) report(frame, 'duplicate', `'${text}' stands twice in '$expand'. Write it once.`, text)
    seen.add(text)
    bindItem(item, text, frame)
  }
  run.depth--
}

function bindItem({ path, options, suffix }: ExpandItem, text: string, frame: BindingContext): void {
  const type = text === '*' ? untyped : expandedType(path, frame)
  const isCollection = type.kind === 'collection' || type.kind === 'untyped'
  if (suffix === 'count' && !isCollection) {
    report(frame, 'notACollection', `'$count' may only follow a collection, but '${text}' is a single item.`, text)
  }
  if (options === undefined) return
  checkCollectionOptions(options, isCollection, text, frame)
  const target = type.kind === 'collection' ? type.of : type
  if (options.levels !== undefined && !isRecursive(target, frame)) {
    const message = `'$levels' needs a relation that leads back to the type it starts from, but '${text}' does not.`
    report({ ...frame, option: '$levels' }, 'notApplicable', message, text)
  }
  bindOptions(options, contextAt(frame, target))
}

function expandedType(path: readonly string[], frame: BindingContext): StaticType {
  let type = frame.current
  let isRelation = false
  for (const [index, name] of path.entries()) {
    if (type.kind === 'untyped') return untyped
    const text = path.slice(0, index + 1).join('/')
    if (name.includes('.')) {
      type = bindCast(name, type, frame)
      continue
    }
    const owner: StaticType = type.kind === 'collection' ? type.of : type
    const info =
      owner.kind === 'entity' || owner.kind === 'complex' ? structuredInfo(owner.name, frame.types) : undefined
    if (isRelation || info === undefined || !('name' in owner)) {
      report(frame, 'notARelation', `'${text}' does not end at a relation. Nest another '$expand' instead.`, text)
      return untyped
    }
    const relation = Object.hasOwn(info.navigation, name) ? info.navigation[name] : undefined
    const property = Object.hasOwn(info.properties, name) ? info.properties[name] : undefined
    if (relation === undefined && property === undefined) {
      if (info.open === true) return untyped
      report(frame, 'unknownProperty', unknownProperty(name, owner.name, frame.types), text)
      return untyped
    }
    isRelation = relation !== undefined
    type = declaredType(relation ?? property ?? { type: '' }, frame.types)
  }
  if (isRelation) return type
  const text = path.join('/')
  report(frame, 'notARelation', `'${text}' is not a relation: only relations can be expanded. Use '$select'.`, text)
  return untyped
}

function isRecursive(target: StaticType, { current, types }: BindingContext): boolean {
  if (target.kind !== 'entity' || current.kind !== 'entity')
    return target.kind === 'untyped' || current.kind === 'untyped'
  return isAssignable(target.name, current.name, types) || isAssignable(current.name, target.name, types)
}

const collectionOptions = ['filter', 'search', 'orderby', 'top', 'skip', 'count'] as const

/** Options that choose among items mean nothing for a single one. */
function checkCollectionOptions(
  options: QueryOptions,
  isCollection: boolean,
  path: string,
  frame: BindingContext,
): void {
  if (isCollection) return
  for (const name of collectionOptions) {
    if (options[name] === undefined) continue
    const message = `'$${name}' chooses among the items of a collection, but '${path}' is a single one. Leave it out.`
    report({ ...frame, option: `$${name}` }, 'notApplicable', message, path)
  }
}
