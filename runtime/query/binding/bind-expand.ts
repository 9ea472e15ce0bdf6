import type { ExpandItem } from '../ast.js'
import { bindCast } from './bind-cast.js'
import { bindOptions } from './bind-query.js'
import { type Frame, frameAt, maxBindingDepth, report } from './frame.js'
import { unknownProperty } from './member-type.js'
import { checkCollectionOptions } from './nested-options.js'
import { declaredType, type StaticType, untyped } from './static-type.js'
import { isAssignable, structuredInfo } from './type-names.js'

/**
 * Each path of `$expand` must lead to a relation, none may stand twice, and the nested options must fit its items.
 *
 * @see OData URL Conventions 4.01, 5.1.3
 */
export function bindExpand(items: readonly ExpandItem[], frame: Frame): void {
  const { run } = frame
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

function bindItem({ path, options, suffix }: ExpandItem, text: string, frame: Frame): void {
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
  bindOptions(options, frameAt(frame, target))
}

function expandedType(path: readonly string[], frame: Frame): StaticType {
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

function isRecursive(target: StaticType, { current, types }: Frame): boolean {
  if (target.kind !== 'entity' || current.kind !== 'entity')
    return target.kind === 'untyped' || current.kind === 'untyped'
  return isAssignable(target.name, current.name, types) || isAssignable(current.name, target.name, types)
}
