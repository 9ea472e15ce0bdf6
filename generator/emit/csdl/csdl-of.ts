import type { Service } from '../../../spec/language/model/index.js'
import { ownershipNote } from '../../ownership.js'
import { csdlContainer } from './csdl-container.js'
import type { CsdlDocument, CsdlSchema } from './csdl-document.js'
import { csdlOperations } from './csdl-operation.js'
import { csdlTypes } from './csdl-types.js'
import { serviceAnnotations } from './service-annotations.js'

/**
 * A service as CSDL: its types, operations and container, what the Core, Capabilities and Validation vocabularies can say
 * of it, and in terms of our own everything else.
 *
 * @see OData CSDL 4.01; docs/csdl-vocabulary.md
 */
export function csdlOf(service: Service): CsdlDocument {
  const types = csdlTypes(service)
  const operations = csdlOperations(service)
  const schemaOf = (namespace: string): CsdlSchema => ({
    namespace,
    types: types.filter(type => type.namespace === namespace),
    operations: operations.filter(operation => operation.namespace === namespace),
  })
  const others = new Set([...types, ...operations].map(({ namespace }) => namespace))
  others.delete(service.namespace)
  const container = csdlContainer(service, serviceAnnotations(service))
  return {
    comment: ownershipNote(service.name),
    schemas: [{ ...schemaOf(service.namespace), container }, ...[...others].map(schemaOf)],
  }
}

/** The vocabularies that a document refers to, by alias. */
export const vocabularies = [
  { alias: 'Core', namespace: 'Org.OData.Core.V1', address: odata('Org.OData.Core.V1') },
  { alias: 'Capabilities', namespace: 'Org.OData.Capabilities.V1', address: odata('Org.OData.Capabilities.V1') },
  { alias: 'Validation', namespace: 'Org.OData.Validation.V1', address: odata('Org.OData.Validation.V1') },
  { alias: 'Specwright', namespace: 'Specwright.V1', address: 'Specwright.V1' },
] as const

function odata(namespace: string): string {
  return `https://oasis-tcs.github.io/odata-vocabularies/vocabularies/${namespace}`
}
