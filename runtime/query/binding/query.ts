import type { ComputeItem, ExpandItem, Expression, OrderbyItem, QueryOptions, SelectItem } from '../ast.js'
import { isComparableTypeName } from '../primitive-types.js'
import { expandedSize, expressionsIn } from '../traversal.js'
import { isSubtype, structuredTypeInfo, type TypeTable } from '../type-table.js'
import {
  type BindingContext,
  type BindingError,
  type BindingScope,
  contextAt,
  declaredType,
  describeType,
  maxBindingDepth,
  report,
  rootContext,
  type StaticType,
  untyped,
} from './context.js'
import { bindNode } from './expression.js'
import { bindCast, memberType, unknownProperty, unqualifiedName } from './names.js'
import { checkBoolean, pathText } from './operators.js'

/** The most nodes of a query after the replacement of aliases. The longest URL without aliases contains fewer. */
const maxQuerySize = 20_000

/**
 * Checks a parsed query against the type of the items: unknown names, operands of incompatible types, relations in place of
 * values. Returns the errors. Never throws.
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
  const context = rootContext(types, typeName, scope, options.aliases ?? {})
  if (options.levels !== undefined) {
    report({ ...context, option: '$levels' }, 'notApplicable', "'$levels' is allowed only in '$expand'.")
  }
  const sizes = new Map<string, number>()
  const size = expressionsIn(options).reduce((sum, each) => sum + expandedSize(each, context.aliases, sizes), 0)
  if (size > maxQuerySize) {
    report(
      context,
      'tooComplex',
      `The query has more than ${maxQuerySize} terms after the replacement of aliases. Write a smaller one.`,
    )
  } else {
    bindOptions(options, context)
  }
  return context.state.errors
}

/** Binds the options of a request, or those nested in an item of `$expand` or `$select`. */
function bindOptions(options: QueryOptions, context: BindingContext): void {
  const { filter, orderby, select, expand, compute } = options
  let inner = context
  if (compute !== undefined) inner = { ...context, computed: bindCompute(compute, { ...context, option: '$compute' }) }
  if (filter !== undefined) {
    const at = { ...inner, option: '$filter' }
    checkBoolean(bindNode(filter, at), 'The condition of $filter', at)
  }
  if (orderby !== undefined) bindOrderby(orderby, { ...inner, option: '$orderby' })
  if (select !== undefined) bindSelect(select, { ...inner, option: '$select' })
  if (expand !== undefined) bindExpand(expand, { ...inner, option: '$expand' })
}

/** The type of an expression, and its errors. An expression with an error is `untyped`. */
export interface BoundExpression {
  readonly type: StaticType
  readonly errors: readonly BindingError[]
}

/**
 * Checks an expression against the type of an item. Never throws.
 *
 * @param typeName a name of the type table, or `Edm.String` and so on
 * @param aliases the values of parameter aliases; `scope.parameters` can declare others
 */
export function bindExpression(
  expression: Expression,
  types: TypeTable,
  typeName: string,
  scope: BindingScope = {},
  aliases: Readonly<Record<string, Expression>> = {},
): BoundExpression {
  const context = rootContext(types, typeName, scope, aliases)
  const type = bindNode(expression, context)
  return { type, errors: context.state.errors }
}

/**
 * Each key of `$orderby` must be a single value with an order.
 *
 * @see OData URL Conventions 4.01, 5.1.5
 */
export function bindOrderby(items: readonly OrderbyItem[], context: BindingContext): void {
  for (const { expression } of items) {
    const type = bindNode(expression, context)
    if (isOrdered(type)) continue
    const message = `'$orderby' needs a value that has an order, but found ${describeType(type)}.`
    report(context, 'notAValue', message, pathText(expression))
  }
}

export function isOrdered(type: StaticType): boolean {
  if (type.kind === 'null' || type.kind === 'untyped' || type.kind === 'enum') return true
  return type.kind === 'primitive' && isComparableTypeName(type.name)
}

/** The types of the properties that the option `$compute` of a query adds to its items. */
export function computedTypes(
  { compute, aliases }: Pick<QueryOptions, 'compute' | 'aliases'>,
  types: TypeTable,
  typeName: string,
): ReadonlyMap<string, StaticType> {
  return compute === undefined ? new Map() : bindCompute(compute, rootContext(types, typeName, {}, aliases ?? {}))
}

/** The types of the properties that `$compute` adds. Their names must be unique and must not hide properties. */
export function bindCompute(items: readonly ComputeItem[], context: BindingContext): ReadonlyMap<string, StaticType> {
  const computed = new Map<string, StaticType>()
  const { current } = context
  for (const { expression, alias } of items) {
    const type = bindNode(expression, { ...context, computed })
    const isProperty =
      (current.kind === 'entity' || current.kind === 'complex') &&
      (memberType(alias, current.name, context.types)?.kind ?? 'untyped') !== 'untyped'
    if (isProperty || computed.has(alias)) {
      report(context, 'duplicate', `The name '${alias}' of a computed property is taken. Choose another.`, alias)
    }
    computed.set(alias, type)
  }
  return computed
}

/**
 * Each path of `$select` must lead to a property or relation. No path may appear twice.
 *
 * @see OData URL Conventions 4.01, 5.1.4
 */
function bindSelect(items: readonly SelectItem[], context: BindingContext): void {
  const seen = new Set<string>()
  for (const { path, options } of items) {
    const text = path.join('/')
    if (seen.has(text)) report(context, 'duplicate', `'${text}' appears twice in '$select'. Write it once.`, text)
    seen.add(text)
    const type = selectedType(path, context)
    if (options === undefined) continue
    checkCollectionOptions(options, type.kind === 'collection' || type.kind === 'untyped', text, context)
    bindOptions(options, contextAt(context, type.kind === 'collection' ? type.of : type))
  }
}

function selectedType(path: readonly string[], context: BindingContext): StaticType {
  let type = context.current
  let relation: string | undefined
  for (const [index, name] of path.entries()) {
    if (type.kind === 'untyped' || name === '*' || name.startsWith('@')) return untyped
    const text = path.slice(0, index + 1).join('/')
    if (relation !== undefined && !name.includes('.')) {
      const message = `'$select' ends at the relation '${relation}'. Use '$expand=${relation}($select=${name})'.`
      report(context, 'notAStructure', message, text)
      return untyped
    }
    if (index === 0 && context.computed.has(name)) return context.computed.get(name) ?? untyped
    if (name.includes('.')) {
      if (isOperation(name, context)) return untyped
      type = bindCast(name, type, context)
      continue
    }
    const owner: StaticType = type.kind === 'collection' ? type.of : type
    if (owner.kind !== 'entity' && owner.kind !== 'complex') {
      report(context, 'notAStructure', `'${text}' leads into a value that has no properties.`, text)
      return untyped
    }
    const member = memberType(name, owner.name, context.types)
    if (member === undefined) {
      report(
        context,
        'unknownProperty',
        unknownProperty(name, owner.name, context.types, context.computed.keys()),
        text,
      )
      return untyped
    }
    if (Object.hasOwn(structuredTypeInfo(owner.name, context.types)?.navigation ?? {}, name)) relation = name
    type = member
  }
  return type
}

/** `ns.*` names all operations of a namespace, `ns.name` one operation, `ns.name(a,b)` an overload. */
function isOperation(name: string, context: BindingContext): boolean {
  const parameters = name.indexOf('(')
  const unqualified = unqualifiedName(parameters < 0 ? name : name.slice(0, parameters), context)
  return unqualified === '*' || (unqualified !== undefined && Object.hasOwn(context.scope.functions ?? {}, unqualified))
}

/**
 * Each path of `$expand` must lead to a relation. No path may appear twice. Nested options must fit the items.
 *
 * @see OData URL Conventions 4.01, 5.1.3
 */
function bindExpand(items: readonly ExpandItem[], context: BindingContext): void {
  const { state } = context
  if (state.depth >= maxBindingDepth) {
    report(context, 'tooComplex', `'$expand' is nested more than ${maxBindingDepth} levels deep.`)
    return
  }
  state.depth++
  const seen = new Set<string>()
  for (const item of items) {
    const text = item.path.join('/')
    if (seen.has(text)) report(context, 'duplicate', `'${text}' appears twice in '$expand'. Write it once.`, text)
    seen.add(text)
    bindItem(item, text, context)
  }
  state.depth--
}

function bindItem({ path, options, suffix }: ExpandItem, text: string, context: BindingContext): void {
  const type = path.at(-1) === '*' ? everyRelation(path, text, context) : expandedType(path, context)
  const isCollection = type.kind === 'collection' || type.kind === 'untyped'
  if (suffix === 'count' && !isCollection) {
    report(context, 'notACollection', `'$count' may only follow a collection, but '${text}' is a single item.`, text)
  }
  if (options === undefined) return
  checkCollectionOptions(options, isCollection, text, context)
  const target = type.kind === 'collection' ? type.of : type
  if (options.levels !== undefined && !isRecursive(target, context)) {
    const message = `'$levels' needs a relation that leads back to the type it starts from, but '${text}' does not.`
    report({ ...context, option: '$levels' }, 'notApplicable', message, text)
  }
  bindOptions(options, contextAt(context, target))
}

/** `*`, or `ns.type/*` for the relations of a derived type, which may be several casts down. */
function everyRelation(path: readonly string[], text: string, context: BindingContext): StaticType {
  let type = context.current
  for (const name of path.slice(0, -1)) {
    if (!name.includes('.')) {
      const message = `Only type casts can precede '*', but '${text}' has '${name}'. Nest another '$expand' instead.`
      report(context, 'notARelation', message, text)
      return untyped
    }
    type = bindCast(name, type, context)
  }
  return untyped
}

function expandedType(path: readonly string[], context: BindingContext): StaticType {
  let type = context.current
  let isRelation = false
  for (const [index, name] of path.entries()) {
    if (type.kind === 'untyped') return untyped
    const text = path.slice(0, index + 1).join('/')
    if (name.includes('.')) {
      type = bindCast(name, type, context)
      continue
    }
    const owner: StaticType = type.kind === 'collection' ? type.of : type
    const info =
      owner.kind === 'entity' || owner.kind === 'complex' ? structuredTypeInfo(owner.name, context.types) : undefined
    if (isRelation || info === undefined || !('name' in owner)) {
      report(context, 'notARelation', `'${text}' does not end at a relation. Nest another '$expand' instead.`, text)
      return untyped
    }
    const relation = Object.hasOwn(info.navigation, name) ? info.navigation[name] : undefined
    const property = Object.hasOwn(info.properties, name) ? info.properties[name] : undefined
    if (relation === undefined && property === undefined) {
      if (info.open === true) return untyped
      report(context, 'unknownProperty', unknownProperty(name, owner.name, context.types), text)
      return untyped
    }
    isRelation = relation !== undefined
    type = declaredType(relation ?? property ?? { type: '' }, context.types)
  }
  if (isRelation) return type
  const text = path.join('/')
  report(context, 'notARelation', `'${text}' is not a relation: only relations can be expanded. Use '$select'.`, text)
  return untyped
}

function isRecursive(target: StaticType, { current, types }: BindingContext): boolean {
  if (target.kind !== 'entity' || current.kind !== 'entity') {
    return target.kind === 'untyped' || current.kind === 'untyped'
  }
  return isSubtype(target.name, current.name, types) || isSubtype(current.name, target.name, types)
}

const collectionOptions = ['filter', 'search', 'orderby', 'top', 'skip', 'count'] as const

/** Options that select among items do not apply to a single item. */
function checkCollectionOptions(
  options: QueryOptions,
  isCollection: boolean,
  path: string,
  context: BindingContext,
): void {
  if (isCollection) return
  for (const name of collectionOptions) {
    if (options[name] === undefined) continue
    const message = `'$${name}' selects among the items of a collection, but '${path}' is a single item. Remove it.`
    report({ ...context, option: `$${name}` }, 'notApplicable', message, path)
  }
}
