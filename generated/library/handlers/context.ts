/**
 * What every handler gets as `context`: a database, a logger. The option `context` of the service makes it, once a
 * request.
 */
export type Context = undefined
