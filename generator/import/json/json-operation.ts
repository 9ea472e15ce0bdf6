import { pointerTo } from '../../../spec/language/source/pointer.js'
import type { CsdlElement } from '../csdl/csdl-element.js'
import { annotationElements, type JsonMembers, membersOf } from './json-annotations.js'
import { element } from './json-element.js'
import { typed } from './json-type.js'

/** One overload of an action or function. */
export function operationElement(name: string, members: JsonMembers, spot: string): CsdlElement {
  const attributes = {
    Name: name,
    IsBound: members.get('$IsBound'),
    IsComposable: members.get('$IsComposable'),
    EntitySetPath: members.get('$EntitySetPath'),
  }
  const parameters = members.get('$Parameter')
  const returns = members.get('$ReturnType')
  return element(members.get('$Kind') === 'Function' ? 'Function' : 'Action', attributes, spot, [
    ...(Array.isArray(parameters) ? parameters : []).map((parameter: unknown, index) => {
      const own = membersOf(parameter)
      const at = pointerTo(`${spot}/$Parameter`, index)
      return element('Parameter', { Name: own.get('$Name'), ...typed(own) }, at, annotationElements(own, at))
    }),
    ...(returns === undefined ? [] : [returnElement(membersOf(returns), `${spot}/$ReturnType`)]),
    ...annotationElements(members, spot),
  ])
}

function returnElement(members: JsonMembers, spot: string): CsdlElement {
  return element('ReturnType', typed(members), spot, annotationElements(members, spot))
}
