/** A part of the runtime: a folder of its source, and one file where it is vendored. */
export type RuntimeRoom = (typeof runtimeRooms)[number]

/** All parts. The client stands alone, so that it can be vendored alone; the server needs the query language. */
export const runtimeRooms = ['client', 'query', 'server'] as const

/** `query` of `query/parse/cursor.js`. */
export function roomOf(module: string): RuntimeRoom {
  const name = module.slice(0, module.indexOf('/'))
  const room = runtimeRooms.find(known => known === name)
  if (room === undefined) throw new Error(`${module} is in no room of the runtime: ${runtimeRooms.join(', ')}`)
  return room
}
