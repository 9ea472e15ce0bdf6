import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

// `npm run examples`: generates the code of every example, most of which is not under version control.

const command = resolve('dist/cli/specwright.js')
const folders = readdirSync('examples')
  .map(name => join('examples', name))
  .filter(folder => existsSync(join(folder, 'specwright.yaml')))

// At the same time: each run waits for files and uses one core.
const outputs = await Promise.all(
  folders.map(cwd => promisify(execFile)(process.execPath, [command, 'generate'], { cwd })),
)
for (const [index, { stdout, stderr }] of outputs.entries()) {
  process.stdout.write(`${folders[index]}: ${stdout}${stderr}`)
}
