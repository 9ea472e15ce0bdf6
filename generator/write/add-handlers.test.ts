import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HandlerStub } from '../emit/server/emit-handlers.js'
import { addHandlers } from './add-handlers.js'

const stub = (name: string): HandlerStub => ({ name, docs: [`/** ${name} */`], members: [] })
const group = (name: string, ...members: readonly HandlerStub[]): HandlerStub => ({ name, docs: [], members })
const users = group('users', stub('list'), stub('get'))

const filled = (indent: string, end: string, ...names: readonly string[]) =>
  names
    .map(name =>
      [
        `${indent}/** ${name} */`,
        `${indent}${name}(call) {`,
        `${indent}${indent}return call.notImplemented()`,
        `${indent}},`,
      ].join(end),
    )
    .join(end + end)

describe('addHandlers', () => {
  it.each([
    [
      'an empty object',
      'export const users = {}\n',
      `export const users = {\n${filled('  ', '\n', 'list', 'get')}\n}\n`,
    ],
    [
      'an object over two lines',
      'export const users: H = {\n}\n',
      `export const users: H = {\n${filled('  ', '\n', 'list', 'get')}\n}\n`,
    ],
    [
      'a last member with a comma',
      'export const users = {\n  list() {},\n} satisfies H\n',
      `export const users = {\n  list() {},\n\n${filled('  ', '\n', 'get')}\n} satisfies H\n`,
    ],
    [
      'a last member without a comma',
      'export const users = {\n  list() {}\n}\n',
      `export const users = {\n  list() {},\n\n${filled('  ', '\n', 'get')}\n}\n`,
    ],
    [
      'a comment between the last member and its comma',
      'export const users = {\n  list() {} /* a */ , // b\n}\n',
      `export const users = {\n  list() {} /* a */ , // b\n\n${filled('  ', '\n', 'get')}\n}\n`,
    ],
    [
      'a comment behind a last member without a comma',
      'export const users = {\n  list() {} // b\n}\n',
      `export const users = {\n  list() {}, // b\n\n${filled('  ', '\n', 'get')}\n}\n`,
    ],
    [
      'comments after the last member',
      'export const users = {\n  list() {},\n  // later: get\n  /* and more */\n}\n',
      `export const users = {\n  list() {},\n  // later: get\n  /* and more */\n\n${filled('  ', '\n', 'get')}\n}\n`,
    ],
    [
      'a brace behind a comment on its line',
      'export const users = {\n  list() {} /* a\n b */ }\n',
      `export const users = {\n  list() {}, /* a\n b */ \n\n${filled('  ', '\n', 'get')}\n}\n`,
    ],
    [
      'an object on one line',
      'export const users = { list, }\n',
      `export const users = { list, \n\n${filled('  ', '\n', 'get')}\n}\n`,
    ],
    [
      'CRLF and tabs',
      'import x from "x"\r\nexport const users = {\r\n\tlist: auth(x),\r\n}\r\n',
      `import x from "x"\r\nexport const users = {\r\n\tlist: auth(x),\r\n\r\n${filled('\t', '\r\n', 'get')}\r\n}\r\n`,
    ],
    [
      'a byte order mark and four spaces',
      '\ufeffexport const users = {\n    list() {},\n}',
      `\ufeffexport const users = {\n    list() {},\n\n${filled('    ', '\n', 'get')}\n}`,
    ],
    [
      'names in quotes, and numbers',
      `export const users = {\n  'list': 1,\n  ["x"]: 1,\n  1: 1,\n}\n`,
      `export const users = {\n  'list': 1,\n  ["x"]: 1,\n  1: 1,\n\n${filled('  ', '\n', 'get')}\n}\n`,
    ],
    [
      'the constant among others, in parentheses, as something',
      `const list = 1\nconst users = ({\n  list,\n} as const)\nexport { users }\n`,
      `const list = 1\nconst users = ({\n  list,\n\n${filled('  ', '\n', 'get')}\n} as const)\nexport { users }\n`,
    ],
  ])('appends to %s', async (_, text, expected) => {
    const result = await addHandlers(text, users)
    expect(result.text).toBe(expected)
    expect(result.problems).toEqual([])
    expect((await addHandlers(result.text, users)).text).toBe(result.text)
  })

  it('fills groups at every depth, and adds whole groups', async () => {
    const me = group(
      'me',
      stub('get'),
      group('messages', stub('list'), group('tags', stub('list'))),
      group('drive', stub('list')),
    )
    const result = await addHandlers('export const me = {\n  get() {},\n  messages: {\n    list() {},\n  },\n}\n', me)
    expect(result.added).toEqual(['me.drive.list', 'me.messages.tags.list'])
    expect(result.text).toBe(
      [
        'export const me = {',
        '  get() {},',
        '  messages: {',
        '    list() {},',
        '',
        '    tags: {',
        '      /** list */',
        '      list(call) {',
        '        return call.notImplemented()',
        '      },',
        '    },',
        '  },',
        '',
        '  drive: {',
        '    /** list */',
        '    list(call) {',
        '      return call.notImplemented()',
        '    },',
        '  },',
        '}',
        '',
      ].join('\n'),
    )
  })

  it.each([
    ['the handler that answers 501', "import { notImplemented } from '../server.js'", 'get: notImplemented,'],
    ['it under another name', "import { type H, notImplemented as todo } from '../server.js'", 'get: todo,'],
    ['it from server.ts', "import { notImplemented } from '../server.ts'", 'get: notImplemented,'],
    ['it from server, without an ending', "import { notImplemented } from '../server'", 'get: notImplemented,'],
    ['nothing', '', 'get(call) {'],
    ['that name from another module', "import { notImplemented } from '../errors.js'", 'get(call) {'],
    ['that name from a module that ends alike', "import { notImplemented } from '../my-server.js'", 'get(call) {'],
    [
      'both',
      "import { notImplemented } from './x.js'\nimport { notImplemented as todo } from '../server.js'",
      'get: todo,',
    ],
    ['a type of that name', "import type { notImplemented } from '../server.js'", 'get(call) {'],
    ['a type of that name among values', "import { type notImplemented, a } from '../server.js'", 'get(call) {'],
    ['something else under that name', "import { other as notImplemented } from './other.js'", 'get(call) {'],
    ['all of a module', "import * as notImplemented from '../server.js'", 'get(call) {'],
  ])('writes a stub that needs no missing import: a file that imports %s', async (_, head, line) => {
    const { text } = await addHandlers(`${head}\nexport const users = {\n  list() {},\n}\n`, users)
    expect(text).toContain(`  list() {},\n\n  /** get */\n  ${line}\n`)
  })

  it('uses the shorthand if the handler has the name of the import', async () => {
    const text = "import { notImplemented } from '../server.js'\nexport const a = {}\n"
    expect((await addHandlers(text, group('a', stub('notImplemented')))).text).toContain('\n  notImplemented,\n')
  })

  it('quotes the name of a group if necessary', async () => {
    const result = await addHandlers('export const a = {}\n', group('a', group('b-c', stub('list'))))
    expect(result.text).toContain("  'b-c': {\n")
  })

  it.each([
    ['a syntax error', 'export const users = { list( {\n', 2, /^the file has a syntax error: .*[^.]$/],
    ['a spread', '\nexport const users = {\n  ...base,\n}\n', 3, /spread/],
    ['a computed name', 'export const users = {\n  [name]: 1,\n}\n', 2, /computed name/],
    ['a prototype', 'export const users = {\n  __proto__: base,\n}\n', 2, /holds a prototype/],
    ['a call', 'export const users = define({})\n', 1, /not initialised with an object literal/],
    ['another name', 'export const people = {}\n', 1, /no top-level constant is named users/],
    ['a constant within a function', 'function f() {\n  const users = {}\n}\n', 1, /no top-level constant/],
    ['two of them', 'const users = {}\nconst users = {}\n', 1, /syntax error|handlers are unknown/],
  ])('refuses %s and leaves the file as it is', async (_, text, line, message) => {
    const result = await addHandlers(text, users)
    expect(result).toMatchObject({ text, added: [], problems: [{ line, message: expect.stringMatching(message) }] })
  })

  it('leaves a group that is defined elsewhere unchanged, and fills the rest', async () => {
    const me = group('me', stub('get'), group('messages', stub('list')))
    const result = await addHandlers("import { messages } from './m.js'\nexport const me = {\n  messages,\n}\n", me)
    expect(result.added).toEqual(['me.get'])
    expect(result.problems).toEqual([
      { line: 3, message: expect.stringContaining('me.messages is not an object literal') },
    ])
  })

  it('keeps every byte of any file, adds what is missing, and is idempotent', async () => {
    const trivia = fc.constantFrom('', ' ', '\n', '\r\n', '\t', '// c\n', '/* c */', '/*\n * c */ ', '  // d\r\n')
    const member = fc.constantFrom('list() {}', 'list', '"list": 1', 'other: () => ({ a: [1] })', "'get': f(`}`)")
    const object = fc
      .tuple(
        fc.uniqueArray(member, { selector: text => text.replace(/\W.*/s, '') }),
        fc.array(trivia, { minLength: 12, maxLength: 12 }),
        fc.boolean(),
      )
      .map(([members, gaps, comma]) => {
        const body = members.map((text, index) => `${gaps[index] ?? ''}${text}${gaps[index + 6] ?? ''}`).join(',')
        return `{${body}${comma && members.length > 0 ? ',' : ''}${gaps.at(-1)}}`
      })
    const file = fc
      .tuple(fc.constantFrom('', '\ufeff', '// hi\r\n', "import f from 'f'\n"), object, trivia)
      .map(([head, literal, tail]) => `${head}export const users: H = ${literal}${tail}`)
    await fc.assert(
      fc.asyncProperty(file, async text => {
        const result = await addHandlers(text, users)
        expect(result.problems).toEqual([])
        expect(isSubsequence(text, result.text)).toBe(true)
        expect(result.added.length).toBe(['list', 'get'].filter(name => !new RegExp(`\\b${name}\\b`).test(text)).length)
        const again = await addHandlers(result.text, users)
        expect(again).toEqual({ text: result.text, added: [], problems: [] })
      }),
      { numRuns: 150 },
    )
  })
})

function isSubsequence(inner: string, outer: string): boolean {
  let at = 0
  for (const character of outer) if (character === inner[at]) at++
  return at === inner.length
}
