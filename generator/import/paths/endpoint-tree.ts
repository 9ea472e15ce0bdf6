import { fileName } from '../../names/file-name.js'
import { typeIdentifier, valueIdentifier } from '../../names/identifier.js'

/** A step of the dotted names of endpoints: `messages` in `users.messages.list`. */
export interface EndpointNode {
  /** Names from the service on. */
  readonly names: readonly string[]
  /** What lies below it, by the name that the path has for it. */
  readonly children: Map<string, EndpointNode>
  /** What its members are called: endpoints, and the nodes below. */
  readonly taken: Set<string>
}

/** Names endpoints so that none clashes in generated code. */
export interface EndpointTree {
  readonly root: EndpointNode
  /** The node of a relation, entity set or singleton; called like it where that is free. */
  readonly below: (node: EndpointNode, name: string) => EndpointNode
  /**
   * The name of an endpoint, dotted.
   *
   * @param candidates what it may be called, the best first
   */
  readonly endpoint: (node: EndpointNode, candidates: readonly string[]) => string
}

/** What endpoints on a node are called; a relation of that name gets another. */
const verbs = ['list', 'get', 'create', 'update', 'replace', 'delete', 'count', 'delta']

export function endpointTree(): EndpointTree {
  const identifiers = new Set<string>()
  const files = new Set<string>()
  const root: EndpointNode = { names: [], children: new Map(), taken: new Set() }
  const identifierOf = (names: readonly string[]): string => names.map(typeIdentifier).join('')
  const below = (node: EndpointNode, name: string): EndpointNode => {
    const known = node.children.get(name)
    if (known !== undefined) return known
    const isFree = (candidate: string): boolean =>
      !node.taken.has(candidate) &&
      !verbs.includes(candidate) &&
      !identifiers.has(identifierOf([...node.names, candidate])) &&
      !(node === root && files.has(fileName(candidate)))
    const own = firstFree([name], isFree)
    const child: EndpointNode = { names: [...node.names, own], children: new Map(), taken: new Set() }
    node.children.set(name, child)
    node.taken.add(own)
    identifiers.add(identifierOf(child.names))
    if (node === root) files.add(fileName(own))
    return child
  }
  const endpoint = (node: EndpointNode, candidates: readonly string[]): string => {
    const identifier = (name: string): string => `${identifierOf([...node.names, name])}()`
    const own = firstFree(candidates, name => !node.taken.has(name) && !identifiers.has(identifier(name)))
    node.taken.add(own)
    identifiers.add(identifier(own))
    return [...node.names, own].join('.')
  }
  return { root, below, endpoint }
}

/** The first candidate that is free, or the last of them with an underscore, and a number if need be. */
function firstFree(candidates: readonly string[], isFree: (name: string) => boolean): string {
  const found = candidates.find(name => valueIdentifier(name) !== '' && isFree(name))
  if (found !== undefined) return found
  const last = candidates.at(-1) ?? ''
  let name = `${last}_`
  for (let number = 2; !isFree(name); number++) name = `${last}_${number}`
  return name
}
