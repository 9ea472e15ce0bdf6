import type { Check } from './check.js'

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
