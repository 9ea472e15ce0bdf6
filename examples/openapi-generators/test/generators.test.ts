import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createReferenceService, type ReferenceService } from 'specwright/reference'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const cwd = fileURLToPath(new URL('..', import.meta.url))
const specs = join(dirname(createRequire(import.meta.url).resolve('specwright/package.json')), 'spec')
const services: ReferenceService[] = []

async function service(name: 'directory' | 'library'): Promise<ReferenceService> {
  const opened = await createReferenceService({
    spec: join(specs, `${name}.yaml`),
    store: 'sqlite::memory:',
    authenticate: ({ headers }) =>
      headers.get('authorization') === 'Bearer secret'
        ? { id: 'ada', scopes: ['Mail.Read', 'Calendars.Read'] }
        : undefined,
  })
  services.push(opened)
  return opened
}

beforeAll(() => run('npm', ['run', 'generate'], { cwd }))
afterAll(() => Promise.all(services.map(each => each.close())))

describe('the code of other generators for the exported OpenAPI', () => {
  it('compiles, together with the code that uses it', async () => {
    expect(await run('npx', ['tsc'], { cwd }).then(({ stdout }) => stdout, String)).toBe('')
  })

  it('has a name for every type and operation, and no numbered or empty names', () => {
    const files = readdirSync(join(cwd, 'generated'), { recursive: true, encoding: 'utf8' })
    const names = files
      .filter(file => file.endsWith('.ts'))
      .flatMap(file => [
        ...readFileSync(join(cwd, 'generated', file), 'utf8').matchAll(/^export (?:type|const) (\w+)/gm),
      ])
      .map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(300)
    expect(names.filter(name => /\d|unnamed|inline|anonymous/i.test(name))).toEqual([])
  })

  it('calls a service: openapi-typescript with openapi-fetch', async () => {
    const directory = await service('directory')
    const mail = ['First', 'Second', 'Third'].map((subject, index) => ({
      type: 'message',
      properties: { id: subject, subject, receivedDateTime: `2026-11-0${index + 1}T08:00:00Z` },
    }))
    const reminder = {
      type: 'reminder',
      properties: { eventId: '1', eventSubject: 'Tea', reminderFireTime: '2026-11-23T09:45:00Z' },
    }
    await directory.load([
      {
        type: 'user',
        properties: { id: 'ada', displayName: 'Ada' },
        contained: { messages: mail, reminders: [reminder] },
      },
    ])
    const { newestSubjects, remindersBetween } = await import('../src/with-openapi-fetch.js')
    const url = 'https://directory.example/v1.0'
    expect(await newestSubjects(url, 'secret', directory.fetch)).toEqual(['Third', 'Second'])
    const day = { startDateTime: '2026-11-23T00:00:00Z', endDateTime: '2026-11-24T00:00:00Z' }
    expect(await remindersBetween(url, 'secret', directory.fetch, day)).toEqual(['Tea'])
    await expect(newestSubjects(url, 'stolen', directory.fetch)).rejects.toThrow('access token')
  })

  it('calls a service: @hey-api/openapi-ts', async () => {
    const served = await service('library')
    const { copy, library, refusal, titles } = await import('../src/with-hey-api.js')
    const client = library('https://library.example/v1', 'secret', served.fetch)
    const address = { street: 'Hafenstraße 12', city: 'Lübeck', postalCode: '23568', country: { code: 'DE' } }
    expect(await refusal(client, { code: 'NORTH', name: 'North', address })).toBeUndefined()
    expect(await refusal(client, { code: 'far too long', name: 'South', address })).toBe('invalidBody')
    await served.load([
      { type: 'book', properties: { isbn: '9780000000019', title: "The Queen's 100 % & more" } },
      { type: 'book', properties: { isbn: '9780000000026', title: 'Another' } },
      {
        type: 'copy',
        properties: {
          isbn: '9780000000019',
          number: 2,
          branchCode: 'NORTH',
          condition: 'good',
          acquired: '2026-01-01',
        },
      },
    ])
    expect(await titles(client, "contains(title,'Queen''s 100 % &')")).toEqual(["The Queen's 100 % & more"])
    expect(await titles(client, 'true')).toEqual(["The Queen's 100 % & more", 'Another'])
    expect(await copy(client, '9780000000019', 2)).toMatchObject({ number: 2, condition: 'good' })
  })
})
