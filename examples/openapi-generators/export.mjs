import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// `specwright export SPEC --format openapi > FILE`, for both services of the Specwright package.

const specwright = dirname(createRequire(import.meta.url).resolve('specwright/package.json'))
const command = join(specwright, 'dist', 'cli', 'specwright.js')

mkdirSync('generated', { recursive: true })
for (const name of ['directory', 'library']) {
  const spec = join(specwright, 'spec', `${name}.yaml`)
  const document = execFileSync(process.execPath, [command, 'export', spec, '--format', 'openapi'])
  writeFileSync(join('generated', `${name}.json`), document)
}
