import { loss } from '../finding.js'
import type { ImportContext } from '../types/import-context.js'
import type { CallableOperation } from './type-members.js'

/**
 * The segment that calls an operation, `ns.near(lat={lat})`; undefined for a function whose parameters cannot stand in a path.
 *
 * @param name as the path writes it
 * @param variables the template variables before it
 * @param isStructured whether values of a type are structured
 */
export function callSegment(
  context: ImportContext,
  operation: CallableOperation,
  name: string,
  variables: readonly string[],
  isStructured: (type: string) => boolean,
): string | undefined {
  const { document } = operation
  if (document.kind === 'action') return name
  const given: string[] = []
  for (const [parameter, { collection, type, optional }] of Object.entries(document.parameters ?? {})) {
    if (optional) continue
    if (collection || isStructured(type)) {
      const message = 'A function with parameters that no path can hold (collections, structured values) gets no path'
      const spot = context.origins.get(`/operations/${operation.name}`) ?? 0
      context.note(loss('function-parameter', message, `${operation.qualifiedName}: ${parameter}`, spot))
      return undefined
    }
    let variable = parameter
    while (variables.includes(variable)) variable += '_'
    given.push(`${parameter}={${variable}}`)
  }
  return `${name}(${given.join(',')})`
}
