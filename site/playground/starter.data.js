// The spec that the playground starts with, and what follows from it: generated when the site is built, so that the page
// shows them before it loads the generator.

import { readFileSync } from 'node:fs'
import { generated } from './generated.js'

const file = new URL('../../spec/starter.yaml', import.meta.url)

export default {
  watch: ['../../spec/starter.yaml'],
  load() {
    const spec = readFileSync(file, 'utf8')
    return { spec, ...generated(spec) }
  },
}
