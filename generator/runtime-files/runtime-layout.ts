/**
 * How a runtime is divided into files: `modules` as in the package, `server/call.js`; `parts` as beside generated code,
 * where the whole of a part is one file, `server.js`.
 */
export type RuntimeLayout = 'modules' | 'parts'
