/** A part of the runtime: one file where it is vendored. */
export type RuntimePart = (typeof runtimeParts)[number]

/** All parts. Each stands alone, so that one can be vendored without the other. */
export const runtimeParts = ['client', 'server'] as const

/**
 * `server` of `query/parse/cursor.js`: the query language is needed by servers only, and a compiler that checks files side
 * by side resolves the types of a file again for each that imports them.
 */
export function partOf(module: string): RuntimePart {
  if (module.startsWith('client/')) return 'client'
  if (module.startsWith('server/') || module.startsWith('query/')) return 'server'
  throw new Error(`runtime/${module} is in no part of the runtime: ${runtimeParts.join(', ')}`)
}
