import type { Endpoint } from '../../../spec/language/model/index.js'
import { typeIdentifier } from '../../names/identifier.js'
import { operationIdentifier } from '../../names/operation-identifier.js'
import { type Breakable, layOut, unbroken } from '../../text/breakable.js'
import type { ClientFile } from './client-file.js'
import { argumentTuple, type PathArgument, type PathText } from './path-template-text.js'

/** The arguments that several operations take, as `templates/client.hbs` shows them. */
export interface ArgumentTypeView {
  readonly name: string
  readonly value: string
}

/**
 * The tuples of what operations take before a body and options. What several take stands once: to the compiler, a tuple
 * with labels is a type of its own, with all members of an array, wherever it is written.
 */
export interface ArgumentTypes {
  /** The tuple of an endpoint's arguments; its name, where other endpoints take the same. */
  typeOf(endpoint: Endpoint): Breakable
  /** The tuples that have a name, in the order of the endpoints. */
  views(): readonly ArgumentTypeView[]
}

/** @param paths those of all endpoints of the client */
export function argumentTypes(paths: ReadonlyMap<Endpoint, PathText>, file: ClientFile): ArgumentTypes {
  const taken = new Map<Endpoint, readonly PathArgument[]>()
  const takers = new Map<string, number>()
  for (const [endpoint, { keys }] of paths) {
    const all = [...keys, ...parametersArgument(endpoint, file)]
    taken.set(endpoint, all)
    takers.set(contentOf(all), (takers.get(contentOf(all)) ?? 0) + 1)
  }
  const views = new Map<string, ArgumentTypeView>()
  for (const all of taken.values()) {
    const content = contentOf(all)
    if (all.length === 0 || views.has(content) || takers.get(content) === 1) continue
    const name = file.scope.claim(`${nameOf(all)}Arguments`, '_')
    views.set(content, { name, value: layOut(argumentTuple(all), 0, `type ${name} = `.length) })
  }
  return {
    typeOf: endpoint => {
      const all = taken.get(endpoint) ?? []
      const view = views.get(contentOf(all))
      return view === undefined ? argumentTuple(all) : unbroken(view.name)
    },
    views: () => [...views.values()],
  }
}

function parametersArgument(endpoint: Endpoint, file: ClientFile): readonly PathArgument[] {
  if (endpoint.kind !== 'call' || endpoint.operation.parameters.length === 0) return []
  return [{ name: 'parameters', type: file.typeReference(`${operationIdentifier(endpoint.operation)}Parameters`) }]
}

const contentOf = (all: readonly PathArgument[]): string => all.map(({ name, type }) => `${name}: ${type}`).join(', ')

/** `[id: string, parameters: SellParameters]` becomes `IdAndSell`. */
const nameOf = (all: readonly PathArgument[]): string =>
  all
    .map(({ name, type }) => (name === 'parameters' ? type.replace(/Parameters_*$/, '') : typeIdentifier(name)))
    .join('And')
