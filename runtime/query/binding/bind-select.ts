import type { SelectItem } from '../ast.js'
import { bindCast } from './bind-cast.js'
import { bindOptions } from './bind-query.js'
import { type Frame, frameAt, report } from './frame.js'
import { memberType, unknownProperty } from './member-type.js'
import { checkCollectionOptions } from './nested-options.js'
import { type StaticType, untyped } from './static-type.js'
import { structuredInfo, unqualifiedName } from './type-names.js'

/**
 * Each path of `$select` must lead to a property or relation, and none may stand twice.
 *
 * @see OData URL Conventions 4.01, 5.1.4
 */
export function bindSelect(items: readonly SelectItem[], frame: Frame): void {
  const seen = new Set<string>()
  for (const { path, options } of items) {
    const text = path.join('/')
    if (seen.has(text)) report(frame, 'duplicate', `'${text}' stands twice in '$select'. Write it once.`, text)
    seen.add(text)
    const type = selectedType(path, frame)
    if (options === undefined) continue
    checkCollectionOptions(options, type.kind === 'collection' || type.kind === 'untyped', text, frame)
    bindOptions(options, frameAt(frame, type.kind === 'collection' ? type.of : type))
  }
}

function selectedType(path: readonly string[], frame: Frame): StaticType {
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
function isOperation(name: string, frame: Frame): boolean {
  const parameters = name.indexOf('(')
  const unqualified = unqualifiedName(parameters < 0 ? name : name.slice(0, parameters), frame)
  return unqualified === '*' || (unqualified !== undefined && Object.hasOwn(frame.scope.functions ?? {}, unqualified))
}
