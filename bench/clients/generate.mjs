import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandLine } from '../generators/contenders.mjs'

const packages = fileURLToPath(new URL('../node_modules/', import.meta.url))
const spec = fileURLToPath(new URL('../../spec/directory.yaml', import.meta.url))

/**
 * Generates the clients that need generated code, for the Directory service, each into a folder with its name.
 */
export function generate(folder, builtPackage) {
  const exported = (format, file, change = text => text) => {
    const text = execFileSync(process.execPath, [commandLine(builtPackage), 'export', spec, '--format', format])
    writeFileSync(join(folder, file), change(text.toString()))
    return join(folder, file)
  }
  const run = (cli, ...args) =>
    execFileSync(process.execPath, [join(packages, cli), ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  // @odata2ts/odata2ts does not start without it.
  writeFileSync(join(folder, 'tsconfig.json'), '{}')
  const openapi = exported('openapi', 'directory.json')
  const csdl = exported('csdl-xml', 'directory.xml')
  mkdirSync(join(folder, 'sap'))
  // It treats 4.01 as version 2.
  exported('csdl-xml', 'sap/directory.edmx', text => text.replace('Version="4.01"', 'Version="4.0"'))
  const own = ['--out', join(folder, 'specwright'), '--only', 'types,client']
  execFileSync(process.execPath, [commandLine(builtPackage), 'generate', spec, ...own])
  run('openapi-typescript/bin/cli.js', openapi, '-o', join(folder, 'openapi-typescript/api.ts'))
  run(
    '@hey-api/openapi-ts/bin/run.js',
    '-i',
    openapi,
    '-o',
    join(folder, 'hey-api'),
    '-c',
    '@hey-api/client-fetch',
    '--silent',
    '--no-log-file',
  )
  run(
    '@odata2ts/odata2ts/lib/run-cli.js',
    '--source',
    csdl,
    '--output',
    join(folder, 'odata2ts'),
    '--mode',
    'all',
    '--emit-mode',
    'ts',
    '--service-name',
    'service',
  )
  run(
    '@sap-cloud-sdk/generator/dist/cli.js',
    '--input',
    join(folder, 'sap/directory.edmx'),
    '--outputDir',
    join(folder, 'sap-cloud-sdk'),
    '--overwrite',
    '--skipValidation',
  )
  return { version: name => JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')).version }
}
