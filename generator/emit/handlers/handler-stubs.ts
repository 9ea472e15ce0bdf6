import type { Stub, StubGroup } from '../../add-handlers/stub-group.js'
import type { EndpointNode, ResourceNode } from '../../names/resource-node.js'
import { docComment } from '../../text/doc-comment.js'
import { endpointDocs } from '../endpoint-docs.js'

/** Handlers that are not written yet: those of a resource and of all resources below it. */
export const resourceStubs = (node: ResourceNode, name: string): StubGroup => ({
  name,
  members: [...operationStubs(node.endpoints), ...node.children.map(child => resourceStubs(child, child.name))],
})

export const operationStubs = (endpoints: readonly EndpointNode[]): readonly Stub[] =>
  endpoints.map(({ name, endpoint }) => ({ name, docs: docComment(endpointDocs(endpoint), 4) }))
