import type { Endpoint } from '../../spec/language/model/index.js'

/** One step of the dotted names of endpoints: what code reaches as `client.me.messages`. */
export interface ResourceNode {
  /** `messages`; empty for the service itself. */
  readonly name: string
  /** `['me', 'messages']` */
  readonly names: readonly string[]
  /** Where it is, `/me/messages`. */
  readonly path: string
  /** Start of the names of its interfaces, `MeMessages`. */
  readonly identifier: string
  /** Name of its constant, `meMessages`. */
  readonly constant: string
  readonly endpoints: readonly EndpointNode[]
  readonly children: readonly ResourceNode[]
}

export interface EndpointNode {
  /** The last step of its name, `list`. */
  readonly name: string
  /** Start of the names of its types, `MeMessagesList`. */
  readonly identifier: string
  readonly endpoint: Endpoint
}
