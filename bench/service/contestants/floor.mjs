import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fill } from '../floor/fill.mjs'
import { principal } from '../organisation.mjs'
import { targetOf } from '../workloads.mjs'
import { started } from './started.mjs'

const token = 'bench'

/** The lower bound: see `floor/serve.mjs`. */
export const floor = {
  name: 'floor: node:http + better-sqlite3',
  headers: { authorization: `Bearer ${token}` },
  target: asked => targetOf(asked, '/v1.0'),
  body: body => body,
  prepare: async (place, sizes) => fill(join(place, 'floor.db'), sizes),
  start: place =>
    started(
      [fileURLToPath(new URL('../floor/serve.mjs', import.meta.url)), join(place, 'floor.db'), token, principal],
      {
        pattern: /^listening (http:\/\/\S+)/,
      },
    ),
}
