import { versions } from 'node:process'

/** Whether this Node.js is one for better-sqlite3 13 and later, which stand on Node-API: 22 and later. */
export const takesNodeApi = Number.parseInt(versions.node, 10) >= 22
