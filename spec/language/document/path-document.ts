import type { Annotated, SupportWord } from './annotated.js'
import type { QueryOptionsDocument } from './query-options-document.js'

export interface PathDocument extends Annotated {
  /** The path by which it resolves, when the template itself does not: `me/drive/items/{id}/children`. */
  readonly resource?: string
  readonly get?: GetDocument
  readonly post?: PostDocument
  readonly patch?: PatchDocument
  readonly put?: PatchDocument
  readonly delete?: DeleteDocument
}

export interface EndpointDocument extends Annotated {
  /** The name in code, when the one derived from the path will not do: `me.messages.list`. */
  readonly name?: string
  readonly status?: number
  readonly scopes?: readonly string[]
  /** Names of errors that only this endpoint adds to those every endpoint may give. */
  readonly errors?: readonly string[]
  readonly prefer?: readonly string[]
  readonly support?: SupportWord
}

export interface GetDocument extends EndpointDocument {
  readonly returns?: 'collection' | 'item' | 'count' | 'delta'
  /** A function that this path calls. */
  readonly calls?: string
  /** Name in `queryOptions`, or the options themselves. */
  readonly query?: string | QueryOptionsDocument
  readonly ifNoneMatch?: SupportWord
  /** What a single relation without a target answers: 404 (default) or 204. */
  readonly absent?: 404 | 204
}

export interface PostDocument extends EndpointDocument {
  /** The entity type that is created, or `calls`: an action. */
  readonly creates?: string
  readonly calls?: string
}

export interface PatchDocument extends EndpointDocument {
  readonly updates: string
  readonly ifMatch?: SupportWord
}

export interface DeleteDocument extends EndpointDocument {
  readonly deletes: string
  readonly ifMatch?: SupportWord
}
