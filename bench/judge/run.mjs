import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { started } from '../service/contestants/started.mjs'

// Judges a service that nobody of Specwright wrote: SAP CAP, with the spec of catalog.yaml. `npm run judge`, after `npm run
// build` in the folder above; what follows goes to `specwright conformance`.

const require = createRequire(import.meta.url)
const here = name => fileURLToPath(new URL(name, import.meta.url))

const cap = await started([require.resolve('@sap/cds/bin/serve.js'), 'all', '--in-memory', '--port', '0'], {
  cwd: here('cap/'),
  env: { NODE_ENV: 'development' },
  pattern: /listening on .*(http:\/\/[^ '}/]+)/,
})
const args = [
  here('../../dist/cli/specwright.js'),
  'conformance',
  `${cap.origin}/catalog`,
  ...['--spec', here('catalog.yaml'), '--allow-writes', '--seed', '1'],
  ...process.argv.slice(2),
]
const judge = spawn(process.execPath, args, { stdio: 'inherit' })
const code = await new Promise(resolve => judge.once('exit', resolve))
await cap.stop()
// Violations are what it is run for.
process.exitCode = code === 1 ? 0 : (code ?? 1)
