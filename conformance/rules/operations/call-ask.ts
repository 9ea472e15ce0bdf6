import type { Ask } from '../../http/ask.js'
import type { Site } from '../../site/site.js'
import { type Arguments, argumentText } from './arguments.js'

/**
 * The request that calls an operation: arguments of a function in the path, those of an action in the body. Absent when
 * an argument cannot be written there.
 */
export function callAsk({ endpoint, path }: Site, given: Arguments): Ask | undefined {
  if (endpoint.kind !== 'call') return undefined
  const step = endpoint.resolved.find(segment => segment.kind === 'operation')
  const variables = step?.kind === 'operation' ? step.variables : {}
  let called = path
  for (const parameter of endpoint.operation.parameters) {
    const variable = Object.hasOwn(variables, parameter.name) ? variables[parameter.name] : undefined
    if (variable === undefined) continue
    const text = argumentText(Object.hasOwn(given, parameter.name) ? given[parameter.name] : undefined, parameter)
    if (text === undefined) return undefined
    called = called.replace(`{${variable}}`, () => encodeURIComponent(text))
  }
  if (called.includes('={')) return undefined
  return endpoint.method === 'GET' ? { method: 'GET', path: called } : { method: 'POST', path: called, body: given }
}
