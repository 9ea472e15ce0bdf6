import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { race } from './race.mjs'

const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const options = {
  ...{ strict: true, noEmit: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler', types: [] },
  lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
}

/**
 * Measures how long the compiler takes to check what contenders generate, each in a project of its own.
 *
 * @param {readonly { contender: import('./contenders.mjs').Contender, input: string }[]} entries
 * @param {{ rounds: number, folder: string }} options where the projects go
 * @returns {Promise<readonly import('./race.mjs').Standing[]>} `usage.wall` alone counts: the compiler is no Node process
 */
export function raceChecks(entries, { rounds, folder }) {
  const projects = entries.map(({ contender, input }, index) => {
    const project = join(folder, `project-${index}`)
    const out = join(project, 'api')
    mkdirSync(out, { recursive: true })
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
    install(contender.packages ?? {}, join(project, 'node_modules'))
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['api'] }))
    execFileSync(process.execPath, contender.command(input, out), {
      cwd: project,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    return { contender: { ...contender, command: () => [compiler, '-p', project] }, input }
  })
  return race(projects, { rounds, limit: 120 })
}

/** @param {Readonly<Record<string, string>>} packages name -> folder */
function install(packages, modules) {
  for (const [name, folder] of Object.entries(packages)) {
    const link = join(modules, name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(folder, link, 'junction')
  }
}
