import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

// `npm run examples`: generates the code of every example, most of which is not under version control.

const command = resolve('dist/cli/specwright.js')
for (const name of readdirSync('examples')) {
  const cwd = join('examples', name)
  if (!existsSync(join(cwd, 'specwright.yaml'))) continue
  process.stdout.write(`${cwd}: `)
  execFileSync(process.execPath, [command, 'generate'], { cwd, stdio: 'inherit' })
}
