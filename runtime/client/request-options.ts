/** What every call takes beside its own arguments. */
export interface RequestOptions {
  /** Aborts the call: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Sent on top of the client's own headers; a name given here wins. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/**
 * Wishes of how the answer be made, name -> value; a service may ignore them.
 *
 * @see RFC 7240
 */
export interface Prefer<Preferences> {
  readonly prefer?: Preferences | undefined
}

/**
 * Options of a change to an item that carries an entity tag.
 *
 * @see RFC 9110, 13.1.1
 */
export interface ChangeOptions extends RequestOptions {
  /** The item's `@odata.etag` as it was read: the change is refused (412) when the item has changed since. */
  readonly ifMatch?: string | undefined
}

/** Options of a change that the service refuses (428) without an entity tag. */
export interface TaggedChangeOptions extends RequestOptions {
  /** The item's `@odata.etag` as it was read; `*` for whatever is there. */
  readonly ifMatch: string
}

/** The last argument: it may be left out when nothing in it is required. */
export type Options<O> = object extends O ? [options?: O] : [options: O]
