import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { commandLine } from '../../generators/contenders.mjs'
import { organisation, principal } from '../organisation.mjs'
import { targetOf } from '../workloads.mjs'
import { started } from './started.mjs'

const token = 'bench'

/** `specwright serve` on a file, as in production but without the request log. */
export function specwright(folder) {
  return {
    name: 'specwright',
    headers: { authorization: `Bearer ${token}`, ConsistencyLevel: 'eventual' },
    target: asked => targetOf(asked, '/v1.0'),
    body: body => body,
    prepare: async (place, sizes) => {
      const file = createWriteStream(join(place, 'organisation.jsonl'))
      for (const { user, messages } of organisation(sizes.users, sizes.messages)) {
        if (!file.write(`${JSON.stringify({ users: { ...user, messages } })}\n`)) await once(file, 'drain')
      }
      file.end()
      await once(file, 'finish')
    },
    start: place =>
      started(
        [
          ...[commandLine(folder), 'serve', '--port', '0', '--store', `sqlite:${join(place, 'specwright.db')}`],
          ...['--data', join(place, 'organisation.jsonl'), '--token', token, '--principal', principal, '--log', 'off'],
        ],
        { pattern: /^listening (http:\/\/[^/]+)/ },
      ),
  }
}
