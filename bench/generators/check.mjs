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
 * The time of the compiler for one contender's output. Only `usage.wall` counts, because the compiler is not a Node.js process.
 *
 * @typedef {object} Checks
 * @property {import('./race.mjs').Standing} all
 * @property {import('./race.mjs').Standing} withoutLibraries under `skipLibCheck`, as most projects have it
 */

/**
 * Measures how long the compiler takes to check the output of contenders, each in its own project.
 *
 * @param {readonly { contender: import('./contenders.mjs').Contender, input: string }[]} entries
 * @param {{ rounds: number, folder: string }} options where the projects go
 * @returns {Promise<readonly Checks[]>}
 */
export async function raceChecks(entries, { rounds, folder }) {
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
    const checking = flags => ({
      contender: { ...contender, command: () => [compiler, '-p', project, ...flags] },
      input,
    })
    return [checking([]), checking(['--skipLibCheck'])]
  })
  const standings = await race(projects.flat(), { rounds, limit: 120 })
  return entries.map((_, index) => ({ all: standings[2 * index], withoutLibraries: standings[2 * index + 1] }))
}

/** @param {Readonly<Record<string, string>>} packages name -> folder */
function install(packages, modules) {
  for (const [name, folder] of Object.entries(packages)) {
    const link = join(modules, name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(folder, link, 'junction')
  }
}
