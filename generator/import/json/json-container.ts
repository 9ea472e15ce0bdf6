import { pointerTo } from '../../../spec/language/source/pointer.js'
import type { CsdlElement } from '../csdl/csdl-element.js'
import { annotationElements, type JsonMembers, membersOf } from './json-annotations.js'
import { element } from './json-element.js'
import { declared } from './json-type.js'

/** Entity sets, singletons and operation imports, and what is said of the container. */
export function containerElements(container: JsonMembers, spot: string): readonly CsdlElement[] {
  const children = declared(container).map(([name, value]) =>
    childElement(name, membersOf(value), pointerTo(spot, name)),
  )
  return [...children, ...annotationElements(container, spot)]
}

function childElement(name: string, members: JsonMembers, spot: string): CsdlElement {
  const own = annotationElements(members, spot)
  const [action, called] = [members.get('$Action'), members.get('$Function')]
  if (action !== undefined) return element('ActionImport', { Name: name, Action: action }, spot, own)
  if (called !== undefined) return element('FunctionImport', { Name: name, Function: called }, spot, own)
  const isSet = members.get('$Collection') === true
  const bindings = [...membersOf(members.get('$NavigationPropertyBinding'))].map(([Path, Target]) =>
    element('NavigationPropertyBinding', { Path, Target }, spot),
  )
  const type = isSet ? { EntityType: members.get('$Type') } : { Type: members.get('$Type') }
  return element(isSet ? 'EntitySet' : 'Singleton', { Name: name, ...type }, spot, [...bindings, ...own])
}
