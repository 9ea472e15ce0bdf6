import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { generate } from '../../generator/index.js'
import { root } from '../root.js'

const path = `${root}/spec/directory.yaml`
const source = { path, text: readFileSync(path, 'utf8') }

function outputFiles(compiledRuntime: boolean): ReadonlyMap<string, string> {
  const { files } = generate(source, { only: ['types', 'client', 'server'], compiledRuntime })
  return new Map(files.map(file => [`/${file.path}`, file.text]))
}

/** What a bundler makes of a program beside the output. */
async function bundled(output: ReadonlyMap<string, string>, program: string, minify = false): Promise<string> {
  const result = await build({
    stdin: { contents: program, loader: 'ts', resolveDir: '/' },
    bundle: true,
    format: 'esm',
    minify,
    target: 'es2022',
    write: false,
    plugins: [
      {
        name: 'output',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^\./ }, ({ path: specifier, importer }) => ({
            path: posix.join(posix.dirname(importer === '<stdin>' ? '/program.ts' : importer), specifier),
            namespace: 'output',
          }))
          onLoad({ filter: /./, namespace: 'output' }, args => ({
            contents: output.get(args.path) ?? output.get(args.path.replace(/\.js$/, '.ts')) ?? '',
            loader: 'ts',
          }))
        },
      },
    ],
  })
  return result.outputFiles.map(({ text }) => text).join('')
}

const has = (text: string, names: readonly string[]): Readonly<Record<string, boolean>> =>
  Object.fromEntries(names.map(name => [name, new RegExp(`\\b${name}\\b`).test(text)]))

describe.each([
  ['TypeScript', outputFiles(false)],
  ['compiled', outputFiles(true)],
])('a bundle of the vendored output, its runtime %s', (_name, output) => {
  it('contains only the resources and operations of a client that the program uses', async () => {
    const text = await bundled(
      output,
      `
      import { meMessages } from './client.js'
      import { connect } from './runtime/client.js'
      for await (const { id } of meMessages(connect({ baseUrl: 'http://localhost' })).list({ top: 1 })) console.log(id)
    `,
    )
    const expected = { meMessages: true, ServiceError: true, groups: false, retrying: false, createDirectory: false }
    expect(has(text, Object.keys(expected))).toEqual(expected)
  })

  it('takes at most 2,600 bytes, gzipped, of a program that lists, reads and updates', async () => {
    const text = await bundled(
      output,
      `
      import { meMessages, users } from './client.js'
      import { connect, ServiceError } from './runtime/client.js'
      const connection = connect({ baseUrl: 'http://localhost' })
      const list = meMessages(connection).list({ filter: f => f.ge('receivedDateTime', ''), select: ['id'], top: 10 })
      for await (const { id } of list) console.log(id)
      console.log(await users(connection).get('x'))
      meMessages(connection).update('x', { isRead: true }).catch(error => console.log(error instanceof ServiceError))
    `,
      true,
    )
    expect(gzipSync(text, { level: 9 }).byteLength).toBeLessThanOrEqual(2_600)
  })

  it.each([
    ['nothing', '', false],
    ['lists of rows in memory', "import { listRows } from './runtime/server.js'\nconsole.log(listRows)", true],
  ])('contains the code that evaluates queries in a server only if it is used: %s', async (_, more, evaluates) => {
    const text = await bundled(
      output,
      `
      import { createDirectory } from './server.js'
      ${more}
      console.log(createDirectory)
    `,
    )
    const evaluators = ['evaluateCall', 'functionOperations', 'geographyDistance', 'compilePattern']
    expect(has(text, ['createDirectory', 'parseQueryString', ...evaluators])).toEqual({
      createDirectory: true,
      parseQueryString: true,
      ...Object.fromEntries(evaluators.map(name => [name, evaluates])),
    })
  })
})
