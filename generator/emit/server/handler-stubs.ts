import type { EndpointNode, ResourceNode } from '../../names/resource-tree.js'
import { docComment } from '../../text/doc-comment.js'
import { renderTemplate } from '../../text/render-template.js'
import { endpointDocs } from '../docs.js'

/** A handler that is not written yet, or a group of them, as `templates/partials/handler-stubs.hbs` shows it. */
export interface HandlerStub {
  /** Name of the property; for the outermost group, name of the exported constant. */
  readonly name: string
  /** The lines of its comment. */
  readonly docs: readonly string[]
  /** Of a group, in the order of the spec; empty for a handler. */
  readonly members: readonly HandlerStub[]
}

/** Stubs for a resource and all resources below it. */
export const resourceStubs = (node: ResourceNode, name: string): HandlerStub => ({
  name,
  docs: [],
  members: [...operationStubs(node.endpoints), ...node.children.map(child => resourceStubs(child, child.name))],
})

export const operationStubs = (endpoints: readonly EndpointNode[]): readonly HandlerStub[] =>
  endpoints.map(({ name, endpoint }) => ({ name, docs: docComment(endpointDocs(endpoint), 4), members: [] }))

/**
 * Stubs as members of an object literal, line by line. The outermost members are not indented, those below by two spaces a
 * level.
 *
 * @param notImplemented what the file calls the handler that answers 501; empty if the file does not import it
 */
export const stubLines = (members: readonly HandlerStub[], notImplemented: string): readonly string[] =>
  renderTemplate('partials/handler-stubs', { members, notImplemented }).trimEnd().split('\n')
