/**
 * A body as it was received: a property has a value or is absent, since JSON knows no `undefined`. So
 * `{ ...item, ...body }` is a whole item, for a compiler that tells absent from undefined too.
 */
export type Received<Body> = { readonly [Name in keyof Body]: Exclude<Body[Name], undefined> }
