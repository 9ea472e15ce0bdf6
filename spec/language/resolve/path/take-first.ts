import { suggest } from '../../diagnostics/suggest.js'
import { pointerTo } from '../../source/pointer.js'
import { chooseOperation } from './choose-operation.js'
import type { TemplateArguments } from './path-template.js'
import type { PathFault, PathWalk } from './path-walk.js'
import { unqualified } from './qualified-names.js'
import { takeKey } from './take-key.js'
import { takeOperation } from './take-operation.js'

/** Takes the name with which a path begins: an entity set, a singleton, or an operation that is bound to nothing. */
export function takeFirst(walk: PathWalk, name: string, given: TemplateArguments | undefined): PathFault | undefined {
  const { container, qualified } = walk.elements
  const element = container.get(name)
  if (element?.kind === 'entitySet') {
    walk.segments.push({ kind: 'entitySet', element })
    walk.position = { type: element.type, collection: true, source: element, bindingPath: '' }
    return given === undefined ? undefined : takeKey(walk, given, 'parentheses')
  }
  if (element) {
    walk.segments.push({ kind: 'singleton', element })
    walk.position = { type: element.type, collection: false, source: element, bindingPath: '' }
    return given === undefined ? undefined : { message: `"${name}" is a singleton and has no key.` }
  }
  const overloads = qualified.operations.get(name) ?? []
  const unbound = overloads.filter(({ binding }) => binding === undefined)
  const operation = chooseOperation(unbound.length === 0 ? overloads : unbound, undefined, given)
  if (operation === undefined) return unknownFirst(walk, name)
  if (operation.binding === undefined) return takeOperation(walk, operation, given, undefined)
  const of = operation.binding.collection ? 'a collection of' : 'an item of'
  return {
    message: `The operation "${name}" is bound to ${of} "${operation.binding.type.name}" and cannot begin a path.`,
  }
}

function unknownFirst({ elements: { container, operations } }: PathWalk, name: string): PathFault {
  const unbound = [...operations.values()].filter(operation => operation.binding === undefined)
  const suggestion = suggest(name, [...container.keys(), ...unbound.map(operation => operation.name)])
  const hint =
    suggestion === undefined ? ' Declare it under `container`, or say by `resource` what the path stands for.' : ''
  const message = `A path begins with an entity set or a singleton; there is no "${name}".${hint}`
  const missing = [pointerTo('/container', name), pointerTo('/operations', unqualified(name))]
  return { message, suggestion, missing }
}
