import { type Endpoint, type Path, structuredTypes } from '../model/service.js'
import type { Operation } from '../model/types.js'
import { parseTemplate, type TemplateSegment } from '../resolve/path-template.js'
import { unqualified } from '../resolve/resolve-operations.js'
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
    const how =
      operation.kind === 'action' && operation.binding === undefined
        ? `both the unbound action "${qualifiedName}", which cannot have overloads`
        : `the same overload of "${qualifiedName}"`
    claim(signature(operation), { what: `"${name}"`, location }, how)
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

/** Endpoint names are unique, and none is the prefix of another: `users.list` excludes `users.list.get`. */
export const endpointNames: Check = ({ service, report }) => {
  const byName = new Map<string, Endpoint>()
  const clash = (endpoint: Endpoint, other: Endpoint, message: string): void => {
    const related = [{ message: `"${other.name}" is here`, at: other.location.pointer, on: 'key' as const }]
    report({ code: 'spec/endpoint-name', message, at: endpoint.location.pointer, on: 'key', related })
  }
  for (const endpoint of service.endpoints) {
    const other = byName.get(endpoint.name)
    if (other === undefined) byName.set(endpoint.name, endpoint)
    else clash(endpoint, other, `Two endpoints are called "${endpoint.name}". Give one of them another \`name\`.`)
  }
  for (const endpoint of service.endpoints) {
    for (let end = endpoint.name.lastIndexOf('.'); end > 0; end = endpoint.name.lastIndexOf('.', end - 1)) {
      const other = byName.get(endpoint.name.slice(0, end))
      if (other === undefined) continue
      const message = `"${endpoint.name}" lies within "${other.name}", which is an endpoint. Give one of them another \`name\`.`
      clash(endpoint, other, message)
    }
  }
}

/**
 * Properties and relations of a type, inherited ones included, have different names.
 *
 * @see OData CSDL 4.01, 7 and 8 (structural and navigation properties)
 */
export const memberNames: Check = ({ service, report }) => {
  for (const type of structuredTypes(service)) {
    const inherited = type.base ? [...type.base.properties, ...type.base.navigation] : []
    const taken = new Map(inherited.map(member => [member.name, member]))
    for (const member of [...type.ownProperties, ...type.ownNavigation]) {
      const first = taken.get(member.name)
      taken.set(member.name, first ?? member)
      if (first === undefined) continue
      const message = `"${type.name}" already has a member "${member.name}". Rename one of the two.`
      const related = [{ message: 'first declared here', at: first.location.pointer, on: 'key' as const }]
      report({ code: 'spec/duplicate-member', message, at: member.location.pointer, on: 'key', related })
    }
  }
}

/** An operation that begins a path does not have the name of an entity set or singleton. */
export const pathStarts: Check = ({ service, report }) => {
  const elements = new Map(service.container.map(element => [element.name, element]))
  for (const operation of service.operations) {
    const element = operation.binding === undefined ? elements.get(unqualified(operation.qualifiedName)) : undefined
    if (element === undefined) continue
    const message = `A path that begins with "${operation.name}" could mean this ${operation.kind} or the ${element.kind === 'entitySet' ? 'entity set' : 'singleton'}. Rename one.`
    const related = [{ message: 'the other one', at: element.location.pointer, on: 'key' as const }]
    report({ code: 'spec/duplicate-path-start', message, at: operation.location.pointer, on: 'key', related })
  }
}

/** The URLs that a template matches: keys and parameters may have any value, and a key any of its two styles. */
function shapeOf(segment: TemplateSegment): string {
  if (segment.kind === 'variable') return '{}'
  if (segment.kind !== 'name') return `$${segment.kind}`
  if (segment.arguments === undefined) return segment.name
  if (segment.arguments.kind === 'single') return `${segment.name}/{}`
  const names = [...segment.arguments.variables.keys()]
  return names.length === 0 ? segment.name : `${segment.name}(${names.sort().join(',')})`
}

/** No two paths match the same URL. */
export const ambiguousPaths: Check = ({ service, report }) => {
  const first = new Map<string, Path>()
  for (const path of service.paths) {
    const segments = parseTemplate(path.template)
    if ('message' in segments) continue
    const shape = segments.map(shapeOf).join('/')
    const other = first.get(shape)
    if (other === undefined) {
      first.set(shape, path)
      continue
    }
    const message = `"${path.template}" matches the same URLs as "${other.template}". Put their endpoints under one path.`
    const related = [{ message: 'the other path', at: other.location.pointer, on: 'key' as const }]
    report({ code: 'spec/ambiguous-path', message, at: path.location.pointer, on: 'key', related })
  }
}
