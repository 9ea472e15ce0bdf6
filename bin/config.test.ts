import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesIn, notesProject, runCommand } from './testing/run-command.js'

const { project, generate } = notesProject()
const root = join(import.meta.dirname, '..')

/** A project with a configuration file. */
function configured(text: string, name = 'specwright.config.mjs'): string {
  const path = project()
  writeFileSync(join(path, name), text)
  return path
}

const read = (path: string, file: string): string => readFileSync(join(path, file), 'utf8')

/** An emitter, as the text of a module that exports it. */
const emitting = (files: string): string =>
  `export default { emitters: [{ name: 'list', emit: (service, context) => ${files} }] }`

describe('specwright.config', () => {
  it('may be TypeScript, which imports other modules in TypeScript, also where Node.js does not run it', () => {
    const path = configured(
      `import { defineConfig, type Service } from 'specwright/config'
import { titleOf } from './title.ts'
const title: (service: Service) => string = titleOf
export default defineConfig({
  services: [{ spec: 'spec.yaml', out: 'out', only: ['types'] }],
  emitters: [{ name: 'list', emit: (service, { header }) => [{ path: 'list.md', text: header('list.md') + '\\n' + title(service) }] }],
})`,
      'specwright.config.ts',
    )
    writeFileSync(
      join(path, 'title.ts'),
      `interface Titled { readonly title: string }\nexport const titleOf = ({ title }: Titled): string => title.toUpperCase()\n`,
    )
    mkdirSync(join(path, 'node_modules'))
    symlinkSync(root, join(path, 'node_modules/specwright'))
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'dist/cli/specwright.js'), 'generate'], {
      cwd: path,
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
    expect(filesIn(join(path, 'out')).toSorted()).toEqual(['list.md', 'types.ts'])
    expect(read(path, 'out/list.md').split('\n')[1]).toBe('NOTES')
  })

  it.each([
    [
      'export const a = 1',
      'specwright.config.mjs: it has no default export. Write: export default defineConfig({ … })',
    ],
    ['export default { format: "x" }', "expected 'biome', 'prettier', the words of a command in a list, or a function"],
    ['export default { formatter: [] }', 'unknown key "formatter". Known keys: services, templates, emitters, format'],
    ['export default { emitters: [{}] }', 'expected a list of `{ name, emit(service, context) { … } }` in `emitters`'],
    ['export default { templates: 1 }', 'expected the path of a folder in `templates`'],
    ['export default { templates: "none" }', 'The templates in none cannot be read'],
    ['throw new Error("at home")', 'specwright.config.mjs cannot be loaded.\nError: at home'],
  ])('reports %s, without frames of Node.js', async (text, message) => {
    const { code, err } = await generate(configured(text))
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
    expect(err).not.toContain('node:internal')
  })

  it.each([
    ['"spec.yaml"', 'specwright.config.mjs: expected a list `services`'],
    ['[{ spec: "spec.yaml" }]', 'services.0.out: expected a path in `out`'],
    ['[{ spec: "spec.yaml", out: "a", only: ["type"] }]', 'services.0.only.0: expected a list of types'],
    [
      '[{ spec: "spec.yaml", out: "a" }, { spec: "spec.yaml", out: "a" }]',
      'services.1.out: services.0.out already names this folder',
    ],
  ])('reports the services %s with their place', async (services, message) => {
    const { code, err } = await runCommand(configured(`export default { services: ${services} }`), 'generate')
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
  })

  it('refuses services in two files, and two configuration files', async () => {
    const path = configured('export default { services: [] }')
    writeFileSync(join(path, 'specwright.yaml'), 'services: [{ spec: spec.yaml, out: out }]\n')
    expect((await runCommand(path, 'generate')).err).toContain('Both specwright.config.mjs and specwright.yaml')
    writeFileSync(join(path, 'specwright.config.js'), 'export default {}\n')
    expect((await runCommand(path, 'generate')).err).toContain('Remove one of the two.')
  })
})

describe('an emitter of a project', () => {
  it('writes files beside those of Specwright, and they are deleted when it no longer emits them', async () => {
    const path = configured(
      emitting(
        `[{ path: 'docs/a.md', text: context.header('a.md') + '\\n' + context.typeName(service.entityTypes[0]) }, { path: 'b.sql', text: 'select 1', kind: 'once' }]`,
      ),
    )
    expect(await generate(path, '--only', 'types')).toMatchObject({ code: 0, out: '3 files: 3 created (0 ms)' })
    expect(read(path, 'out/docs/a.md').split('\n')[1]).toBe('Note')
    writeFileSync(join(path, 'out/b.sql'), 'select 2')
    writeFileSync(
      join(path, 'specwright.config.mjs'),
      emitting(`[{ path: 'docs/c.md', text: context.header('c.md') }, { path: 'b.sql', text: '', kind: 'once' }]`),
    )
    expect((await generate(path, '--only', 'types')).out).toBe('3 files: 1 created, 1 deleted, 2 unchanged (0 ms)')
    expect(read(path, 'out/b.sql')).toBe('select 2')
  })

  it.each([
    [`[{ path: 'a.md', text: 'mine' }]`, 'returned a.md without the ownership marker'],
    [`[{ path: 'a.json', text: '{}' }]`, 'Begin the document with the member "$comment"'],
    [`[{ path: '../a.md', text: context.header('a.md') }]`, 'returned the path "../a.md"'],
    [`[{ path: '/a.md', text: context.header('a.md') }]`, 'returned the path "/a.md"'],
    [`[{ path: 'types.ts', text: context.header('a.ts') }]`, 'returned types.ts, which Specwright itself writes'],
    [`Promise.resolve([])`, 'returned a promise, but emitters are synchronous'],
    [`[1]`, 'returned number as a file'],
    [`service.nothing.length`, 'The emitter "list" failed: TypeError'],
    [`context.header('a.bin')`, 'a.bin cannot have the ownership marker as its first line'],
  ])('that returns %s is reported, and nothing is written', async (files, message) => {
    const path = configured(emitting(files))
    const { code, err } = await generate(path)
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
    expect(err).toContain('specwright.config.mjs:1:1 error emitter/failed')
    expect(err).not.toMatch(/node:internal|node_modules|\\u000A/)
    expect(filesIn(join(path, 'out'))).toEqual([])
  })
})

describe('the formatter of a project', () => {
  const spaced = `(text, path) => path.endsWith('.ts') ? text.replaceAll('  ', '\\t') : text`

  it('formats what is written, and --check compares with the formatted text', async () => {
    const path = configured(`export default { format: ${spaced} }`)
    await generate(path, '--only', 'types')
    expect(read(path, 'out/types.ts')).toContain('\n\treadonly id: string')
    expect((await generate(path, '--only', 'types', '--check')).code).toBe(0)
    writeFileSync(join(path, 'specwright.config.mjs'), 'export default {}')
    expect((await generate(path, '--only', 'types', '--check')).code).toBe(3)
  })

  it('may be a command, which gets the path and the text', async () => {
    const script = `process.stdin.pipe(process.stdout); process.stdin.on('end', () => process.stdout.write('// ' + require('node:path').basename(process.argv[1]) + '\\n'))`
    const path = configured(`export default { format: [process.execPath, '-e', ${JSON.stringify(script)}, '{file}'] }`)
    await generate(path, '--only', 'types')
    expect(read(path, 'out/types.ts')).toMatch(/\n\/\/ types\.ts\n$/)
  })

  it('may be Biome, with the rules of the project', async () => {
    const path = configured(`export default { format: 'biome' }`)
    symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'))
    writeFileSync(
      join(path, 'biome.json'),
      JSON.stringify({ formatter: { indentStyle: 'tab' }, javascript: { formatter: { semicolons: 'always' } } }),
    )
    expect(await generate(path, '--only', 'types,openapi')).toMatchObject({ code: 0, err: '' })
    expect(read(path, 'out/types.ts')).toContain('\n\treadonly id: string;')
  })

  it.each([
    [`['no-such-formatter']`, 'no-such-formatter cannot be run'],
    [`[process.execPath, '-e', 'console.error("bad syntax"); process.exit(3)']`, 'ended with 3: bad syntax'],
    [`[process.execPath, '-e', '']`, 'wrote nothing. It must write the formatted text to standard output.'],
    [`() => 1`, 'The function `format` did not return a string.'],
    [`text => text.slice(3)`, 'The formatter removed the ownership marker of types.ts'],
    [`'prettier'`, 'Prettier is not installed here'],
    [`'biome'`, 'Biome is not installed here'],
  ])('that is %s is reported, and nothing is written', async (format, message) => {
    const path = configured(`export default { format: ${format} }`)
    const { code, err } = await generate(path, '--only', 'types')
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
    // Once, although several files are formatted at the same time.
    expect(err.split(message)).toHaveLength(2)
    expect(filesIn(join(path, 'out'))).toEqual([])
  })
})

describe('--templates', () => {
  const types = readFileSync(join(root, 'templates/types.hbs'), 'utf8')

  /** A project with templates, by name. */
  function withTemplates(texts: Readonly<Record<string, string>>): string {
    const path = project()
    mkdirSync(join(path, 'tpl/partials'), { recursive: true })
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(path, 'tpl', `${name}.hbs`), text)
    return path
  }

  it('replaces templates and partials by name; texts of the spec are escaped as in the built-in ones', async () => {
    const path = withTemplates({
      types: types.replace(
        '{{#module}}\n',
        '{{#module}}\n\n/** My project. */\nexport const first = {{str interfaces.[0].name}}\n',
      ),
    })
    writeFileSync(join(path, 'tpl/partials/handler-stubs.hbs'), '{{#each members}}\n  // mine: {{name}}\n{{/each}}\n')
    expect(await generate(path, '--only', 'types,server', '--templates', 'tpl')).toMatchObject({ code: 0, err: '' })
    expect(read(path, 'out/types.ts')).toContain("/** My project. */\nexport const first = 'Note'\n")
    expect(read(path, 'out/handlers/notes.ts')).toContain('  // mine: list\n')
    expect((await generate(path, '--only', 'types,server', '--templates', 'tpl', '--check')).code).toBe(0)
    expect((await generate(path, '--only', 'types,server', '--check')).code).toBe(3)
  })

  it.each([
    ['types', '{{#module}}\n{{#each interfaces}}\n{{/module}}', 'tpl/types.hbs:2:4', "each doesn't match module"],
    ['types', '{{#module}}\n{{#if\n', 'tpl/types.hbs:', 'template/syntax'],
    ['types', '{{#module}}\n {{shout 1}}\n{{/module}}', 'tpl/types.hbs:2:', 'template/syntax'],
    [
      'types',
      '{{#module}}\n  {{nothing}}\n{{/module}}',
      'tpl/types.hbs:2:5 error template/render',
      '"nothing" not defined',
    ],
    ['types', '{{#module}}\n{{> nothing}}\n{{/module}}', 'tpl/types.hbs:1:1 error template/render', 'nothing'],
    ['type', '', 'tpl/type.hbs:1:1 error template/unknown', 'Did you mean "types"?'],
    ['partials/handler-stub', '', 'tpl/partials/handler-stub.hbs:1:1', 'Did you mean "partials/handler-stubs"?'],
    ['partials/handler-stubs', '{{gone}}', 'tpl/partials/handler-stubs.hbs:1:3', '"gone" not defined'],
    [
      'handlers',
      '{{#each members}}{{> operation-value}}{{/each}}',
      'tpl/handlers.hbs:1:1',
      'in the built-in template partials/operation-value, line 32',
    ],
    ['types', 'export {}', 'spec.yaml:1:1 error template/unmarked', 'Put {{#module}} around the template'],
  ])('reports the template %s with the text %j where it is', async (name, text, place, message) => {
    const path = withTemplates({ [name]: text })
    const { code, err } = await generate(path, '--only', 'types,server', '--templates', 'tpl')
    expect([code, err, err]).toEqual([2, expect.stringContaining(place), expect.stringContaining(message)])
    expect(filesIn(join(path, 'out'))).toEqual([])
  })

  it('reports an empty folder', async () => {
    expect((await generate(withTemplates({}), '--templates', 'tpl')).err).toContain('tpl has no templates.')
  })
})
