import type { Stub, StubGroup } from '../../add-handlers/stub-group.js'
import { propertyName } from '../../names/property-name.js'
import type { EndpointNode, ResourceNode } from '../../names/resource-node.js'
import { docComment } from '../../text/doc-comment.js'
import { endpointDocs } from '../endpoint-docs.js'

/** Handlers that are not written yet: those of a resource and of all resources below it. */
export const resourceStubs = (node: ResourceNode, name: string): StubGroup => ({
  name,
  members: [...operationStubs(node.endpoints), ...node.children.map(child => resourceStubs(child, child.name))],
})

/** What a handler does until it is written: it answers 501. */
export const operationStubs = (endpoints: readonly EndpointNode[]): readonly Stub[] =>
  endpoints.map(({ name, endpoint }) => ({
    name,
    lines: [
      ...docComment(endpointDocs(endpoint), 4),
      `${propertyName(name)}(call) {`,
      '  return call.notImplemented()',
      '},',
    ],
  }))
