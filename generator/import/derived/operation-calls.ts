import { pointerTo } from '../../../spec/language/index.js'
import { localName } from '../csdl/qualified-name.js'
import { omission } from '../finding.js'
import {
  addMethods,
  type Derivation,
  type EndpointNode,
  type ImportedModel,
  type Position,
  plainNames,
  scopesMember,
} from './derivation.js'
import type { CallableOperation } from './type-members.js'

/** The path that calls a bound operation; written with its namespace, which every service must support. */
export function addBoundCall(derivation: Derivation, at: Position, operation: CallableOperation): void {
  const segment = callSegment(derivation, operation, operation.qualifiedName, at.variables)
  if (segment !== undefined) {
    addCall(derivation, `${at.path}/${segment}`, at.node, operation, localName(operation.qualifiedName))
  }
}

/** @param name its name in the path, without its namespace */
function addCall(
  derivation: Derivation,
  path: string,
  node: EndpointNode,
  { document, name: calls, scopes }: CallableOperation,
  name: string,
): void {
  const parameters = Object.keys(document.parameters ?? {}).map(each => each.slice(0, 1).toUpperCase() + each.slice(1))
  const longer = parameters.length === 0 ? [] : [`${name}By${parameters.join('And')}`]
  const own = derivation.endpointName(node, [name, ...longer])
  const method = document.kind === 'function' ? 'get' : 'post'
  derivation.reachedOperations.add(calls)
  addMethods(derivation, path, {
    [method]: {
      calls,
      ...(own === plainNames(path).join('.') ? {} : { name: own }),
      ...scopesMember(derivation, scopes),
    },
  })
}

/** The paths that call an unbound operation, by the name of its import: one for each overload. */
export function addImportCalls(
  derivation: Derivation,
  { operations }: ImportedModel,
  importName: string,
  qualifiedName: string,
  root: EndpointNode,
): void {
  const { paths } = derivation
  for (const [name, operation] of operations) {
    if (operation.qualifiedName !== qualifiedName || operation.document.binding !== undefined) continue
    const callable = { name, ...operation }
    const segment = callSegment(derivation, callable, importName, [])
    if (segment === undefined) continue
    addCall(derivation, `/${segment}`, root, callable, importName)
    const local = localName(qualifiedName)
    const resource = importName === local ? {} : { resource: local + segment.slice(importName.length) }
    paths.set(`/${segment}`, { ...resource, ...paths.get(`/${segment}`) })
  }
}

/**
 * The segment that calls an operation, `ns.near(lat={lat})`; undefined for a function whose parameters a path cannot hold.
 *
 * @param name its name in the path
 * @param variables the template variables before it
 */
function callSegment(
  { context, isStructured, uncallable }: Derivation,
  operation: CallableOperation,
  name: string,
  variables: readonly string[],
): string | undefined {
  const { document } = operation
  if (document.kind === 'action') return name
  const given: string[] = []
  for (const [parameter, { collection, type, optional }] of Object.entries(document.parameters ?? {})) {
    if (optional) continue
    if (collection || isStructured(type)) {
      if (uncallable.has(operation.name)) return undefined
      uncallable.add(operation.name)
      const message = 'A function gets no path if a path cannot hold its parameters (collections, structured values)'
      const location = context.origins.get(pointerTo('/operations', operation.name)) ?? 0
      context.report(omission('function-parameter', message, `${operation.qualifiedName}: ${parameter}`, location))
      return undefined
    }
    let variable = parameter
    while (variables.includes(variable)) variable += '_'
    given.push(`${parameter}={${variable}}`)
  }
  return `${name}(${given.join(',')})`
}
