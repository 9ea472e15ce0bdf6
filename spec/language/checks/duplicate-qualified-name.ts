import type { Operation } from '../model/types.js'
import type { Check } from './check.js'

interface Claimant {
  readonly what: string
  readonly location: { readonly pointer: string }
}

/**
 * Types and operations have unique qualified names. Overloads of an operation differ in their binding, and functions also
 * in their parameters.
 *
 * @see OData CSDL 4.01, 12.1.1 (action overloads) and 12.2.1 (function overloads)
 */
export const duplicateQualifiedName: Check = ({ service, report }) => {
  const taken = new Map<string, Claimant>()
  const claim = (identity: string, { what, location }: Claimant, how: string): void => {
    const other = taken.get(identity)
    if (other === undefined) {
      taken.set(identity, { what, location })
      return
    }
    const message = `${what} and ${other.what} are ${how}. Give one of them another \`qualifiedName\`.`
    const related = [{ message: 'the other one', at: other.location.pointer, on: 'key' as const }]
    report({ code: 'spec/duplicate-qualified-name', message, at: location.pointer, on: 'key', related })
  }
  const { entityTypes, complexTypes, enumTypes, typeDefinitions, operations } = service
  for (const { name, qualifiedName, location } of [...entityTypes, ...complexTypes, ...enumTypes, ...typeDefinitions]) {
    claim(qualifiedName, { what: `"${name}"`, location }, `both "${qualifiedName}" in CSDL`)
  }
  const overloads = new Set<string>()
  for (const operation of operations) {
    const { name, qualifiedName, location } = operation
    if (!overloads.has(qualifiedName))
      claim(qualifiedName, { what: `"${name}"`, location }, `both "${qualifiedName}" in CSDL`)
    overloads.add(qualifiedName)
    claim(signature(operation), { what: `"${name}"`, location }, `the same overload of "${qualifiedName}"`)
  }
}

/** What identifies an overload. */
function signature({ kind, qualifiedName, binding, parameters }: Operation): string {
  const boundTo = binding === undefined ? '' : `${binding.type.name}${binding.collection ? '[]' : ''}`
  const names = kind === 'action' ? [] : parameters.map(({ name }) => name).sort()
  return JSON.stringify([qualifiedName, boundTo, ...names])
}

const reserved: ReadonlySet<string> = new Set(['edm', 'odata', 'system', 'transient'])

/**
 * Some namespaces are the standard's own.
 *
 * @see OData CSDL 4.01, 5.1 (namespace)
 */
export const reservedNamespace: Check = ({ document, service, report }) => {
  if (!reserved.has(service.namespace.toLowerCase())) return
  const word = document.service.namespace === undefined ? 'name' : 'namespace'
  const message = `The namespace "${service.namespace}" is reserved by OData. Choose another \`namespace\`.`
  report({ code: 'spec/reserved-namespace', message, at: `/service/${word}` })
}
