import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * A generator under measurement.
 *
 * @typedef {object} Contender
 * @property {string} name with its version
 * @property {string} makes what its output holds
 * @property {'spec' | 'openapi' | 'csdl' | 'exported'} reads which description of the service it is given
 * @property {boolean} slow takes from ten seconds to minutes on the large model
 * @property {(input: string, out: string) => readonly string[]} command the arguments after `node`
 * @property {Readonly<Record<string, string>>} [packages] what must be installed where its output is used: name -> folder
 */

/** The command line of a built Specwright. @param {string} folder of the package */
export const commandLine = folder => join(folder, 'dist/cli/specwright.js')

/**
 * Specwright with several sets of artefacts. The first is the baseline of all others.
 *
 * @param {string} folder of the built package
 * @returns {readonly Contender[]}
 */
export function specwright(folder) {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const artefacts = (only, makes) => ({
    name: `specwright ${version}`,
    makes,
    reads: 'spec',
    slow: false,
    command: (input, out) => [commandLine(folder), 'generate', input, '--out', out, '--only', only],
  })
  return [
    artefacts('types,client,server', 'types, client, server, runtime'),
    artefacts('types,client', 'types, client, runtime'),
    artefacts('types', 'types'),
    artefacts('types,client,server,openapi,csdl', 'types, client, server, runtime, OpenAPI, CSDL'),
  ]
}

/**
 * Specwright's types, client and server with a compiled runtime from an installed package instead of a copy.
 *
 * @param {string} folder of the built package
 * @returns {Contender}
 */
export function specwrightOverPackage(folder) {
  const [first] = specwright(folder)
  const name = 'specwright'
  return {
    ...first,
    makes: 'types, client, server; the runtime is that of the package',
    command: (input, out) => [...first.command(input, out), '--runtime', name],
    packages: { specwright: folder },
  }
}

/**
 * Specwright's types, client and server with a compiled runtime beside them.
 *
 * @param {string} folder of the built package
 * @returns {Contender}
 */
export function specwrightCompiled(folder) {
  const [first] = specwright(folder)
  return {
    ...first,
    makes: 'types, client, server, runtime, compiled',
    command: (input, out) => [...first.command(input, out), '--compiled-runtime'],
  }
}

/** Metadata in, types, client and server out. @param {string} folder of the built package @returns {Contender} */
export function specwrightImport(folder) {
  const [first] = specwright(folder)
  const driver = fileURLToPath(new URL('import-and-generate.mjs', import.meta.url))
  const command = (input, out) => [driver, commandLine(folder), input, out]
  return { ...first, makes: 'spec, types, client, server, runtime', reads: 'csdl', command }
}

/** @type {readonly Contender[]} */
export const peers = [
  peer('openapi-typescript', 'bin/cli.js', 'types', (input, out) => [input, '-o', join(out, 'api.ts')]),
  peer('openapi-typescript-codegen', 'bin/index.js', 'types, client', (input, out) => [
    ...['--input', input, '--output', out, '--client', 'fetch'],
  ]),
  peer('orval', 'dist/bin/orval.js', 'types, client', (input, out) => [
    ...['--input', input, '--output', join(out, 'api.ts'), '--client', 'fetch'],
  ]),
  // It treats any output path as relative to the working directory.
  peer('typed-openapi', 'bin.js', 'types, client', (input, out) => [input, '-o', join(basename(out), 'api.ts')]),
  peer('typed-openapi', 'bin.js', 'types', (input, out) => [
    ...[input, '-o', join(basename(out), 'api.ts'), '--schemas-only'],
  ]),
  {
    ...peer('swagger-typescript-api', 'dist/cli.mjs', 'types, client', (input, out) => [
      ...['generate', '--path', input, '--output', out, '--name', 'api.ts', '--silent'],
    ]),
    slow: true,
  },
  {
    ...peer('@hey-api/openapi-ts', 'bin/run.js', 'types, client, runtime', (input, out) => [
      ...['-i', input, '-o', out, '-c', '@hey-api/client-fetch', '--silent', '--no-log-file'],
    ]),
    slow: true,
  },
  {
    ...peer('@odata2ts/odata2ts', 'lib/run-cli.js', 'types, query objects, client', (input, out) => [
      ...['--source', input, '--output', out, '--mode', 'all', '--emit-mode', 'ts', '--service-name', 'service'],
    ]),
    reads: 'csdl',
    slow: true,
  },
]

function peer(name, bin, makes, args) {
  const folder = fileURLToPath(new URL(`../node_modules/${name}/`, import.meta.url))
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const command = (input, out) => [join(folder, bin), ...args(input, out)]
  return { name: `${name} ${version}`, makes, reads: 'openapi', slow: false, command }
}
