/**
 * How a runtime is divided into files: `modules` as in the package, `server/call.js`; `rooms` as beside generated code,
 * where the whole of a room is one file, `server.js`.
 */
export type RuntimeLayout = 'modules' | 'rooms'
