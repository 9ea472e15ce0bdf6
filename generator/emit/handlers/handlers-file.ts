import type { StubGroup } from '../../add-handlers/stub-group.js'

/** One file of handlers: where it is, and what it holds at first. */
export interface HandlersFile {
  /** Relative to the output folder. */
  readonly path: string
  /** Named after the constant that the file exports. */
  readonly stubs: StubGroup
  /** What the constant holds for all handlers of the service: one member of that name, or its own members. */
  readonly holds: { readonly kind: 'resource'; readonly name: string } | { readonly kind: 'operations' }
  /** The type of the constant, with the type of the context as its argument. */
  readonly type: { readonly name: string; readonly members?: readonly string[] }
}
