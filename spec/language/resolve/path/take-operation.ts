import { suggest } from '../../diagnostics/suggest.js'
import type { Operation } from '../../model/operation.js'
import { pointerTo } from '../../source/pointer.js'
import { record } from '../record.js'
import type { TemplateArguments } from './path-template.js'
import { type PathFault, type PathWalk, type Position, takeVariable } from './path-walk.js'

/** Takes the call of an operation. Only a composable function can be followed by more. */
export function takeOperation(
  walk: PathWalk,
  operation: Operation,
  given: TemplateArguments | undefined,
  position: Position | undefined,
): PathFault | undefined {
  if (given?.kind === 'single') {
    return { message: `Write the parameters of "${operation.name}" with their names: \`${signature(operation)}\`.` }
  }
  const variables = given?.variables ?? new Map<string, string>()
  const fault = takeParameters(walk, operation, variables)
  if (fault) return fault
  walk.segments.push({ kind: 'operation', operation, variables: record(variables) })
  const { returns, composable } = operation
  if (composable && returns !== undefined) {
    const { type, collection } = returns
    walk.position = { type, collection, source: position?.source, bindingPath: '' }
  } else {
    walk.target = { kind: 'operation', operation }
  }
  return undefined
}

function takeParameters(
  walk: PathWalk,
  operation: Operation,
  variables: ReadonlyMap<string, string>,
): PathFault | undefined {
  if (operation.kind === 'action' && variables.size > 0) {
    return { message: `"${operation.name}" is an action; its parameters stand in the body, not in the path.` }
  }
  const parameters = operation.parameters.map(parameter => parameter.name)
  for (const [parameter, variable] of variables) {
    if (!parameters.includes(parameter)) {
      const message = `"${operation.name}" has no parameter "${parameter}".`
      const missing = [pointerTo(`${operation.place.pointer}/parameters`, parameter)]
      return { message, suggestion: suggest(parameter, parameters), missing }
    }
    const fault = takeVariable(walk, variable)
    if (fault) return fault
  }
  const absent = operation.parameters.find(({ name, optional }) => !optional && !variables.has(name))
  return variables.size > 0 && absent
    ? { message: `The parameter "${absent.name}" is missing; write \`${signature(operation)}\`.` }
    : undefined
}

const signature = ({ name, parameters }: Operation): string =>
  `${name}(${parameters.map(parameter => `${parameter.name}={${parameter.name}}`).join(',')})`
