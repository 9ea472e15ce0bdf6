// What a user does with the metadata of a service: `node import-and-generate.mjs CLI METADATA OUT`, two commands in turn.
import { spawnSync } from 'node:child_process'

const [cli = '', metadata = '', out = ''] = process.argv.slice(2)
const commands = [
  ['import', metadata, '--out', 'imported.yaml'],
  ['generate', 'imported.yaml', '--out', out, '--only', 'types,client,server'],
]
for (const command of commands) {
  const { status } = spawnSync(process.execPath, [cli, ...command], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) process.exit(status ?? 1)
}
