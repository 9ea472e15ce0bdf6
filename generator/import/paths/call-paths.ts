import { localName } from '../csdl/qualified-name.js'
import { callSegment } from './call-segment.js'
import { add, type Derivation, type Imported, type Position, plainNames, scoped } from './derivation.js'
import type { EndpointNode } from './endpoint-tree.js'
import type { CallableOperation } from './type-members.js'

/** The path that calls a bound operation; it is written with its namespace, as every service must understand. */
export function call(derivation: Derivation, at: Position, operation: CallableOperation): void {
  const { context, isStructured } = derivation
  const segment = callSegment(context, operation, operation.qualifiedName, at.variables, isStructured)
  if (segment !== undefined) {
    addCall(derivation, `${at.path}/${segment}`, at.node, operation, localName(operation.qualifiedName))
  }
}

/** @param name what the path calls it, without its namespace */
function addCall(
  derivation: Derivation,
  path: string,
  node: EndpointNode,
  { document, name: calls, scopes }: CallableOperation,
  name: string,
): void {
  const parameters = Object.keys(document.parameters ?? {}).map(each => each.slice(0, 1).toUpperCase() + each.slice(1))
  const longer = parameters.length === 0 ? [] : [`${name}By${parameters.join('And')}`]
  const own = derivation.endpoint(node, [name, ...longer])
  const method = document.kind === 'function' ? 'get' : 'post'
  add(derivation, path, {
    [method]: {
      calls,
      ...(own === plainNames(path).join('.') ? {} : { name: own }),
      ...scoped(derivation, scopes),
    },
  })
}

/** The paths that call an operation that is bound to nothing, by the name of its import: one for each overload. */
export function addImport(
  derivation: Derivation,
  { operations }: Imported,
  importName: string,
  qualifiedName: string,
  root: EndpointNode,
): void {
  const { context, isStructured, paths } = derivation
  for (const [name, operation] of operations) {
    if (operation.qualifiedName !== qualifiedName || operation.document.binding !== undefined) continue
    const callable = { name, ...operation }
    const segment = callSegment(context, callable, importName, [], isStructured)
    if (segment === undefined) continue
    addCall(derivation, `/${segment}`, root, callable, importName)
    const local = localName(qualifiedName)
    const resource = importName === local ? {} : { resource: local + segment.slice(importName.length) }
    paths.set(`/${segment}`, { ...resource, ...paths.get(`/${segment}`) })
  }
}
