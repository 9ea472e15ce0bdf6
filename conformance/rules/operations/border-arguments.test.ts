import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadSpecText } from '../../../spec/language/index.js'
import { buildTypeTable } from '../../../spec/language/table/type-table.js'
import { createChoiceRecord } from '../../choices/choices.js'
import { argumentsOnBorder } from './border-arguments.js'
import type { QueryCall } from './call.js'

const text = readFileSync(new URL('../../../spec/starter.yaml', import.meta.url), 'utf8')
const { service } = loadSpecText(text, 'starter.yaml')
if (service === undefined) throw new Error('The spec starter.yaml has errors.')
const endpoint = service.endpoints.find(each => each.kind === 'call')
const meaning = endpoint?.kind === 'call' ? endpoint.operation.meaning : undefined
if (endpoint?.kind !== 'call' || meaning === undefined) throw new Error('The starter has no operation.')
const path = '/lists/1/dueBefore(date={date})'
const call: QueryCall = { id: 'dueBefore', path, endpoint, keys: { id: '1' }, type: meaning.of.type, meaning }
const session = { service, types: buildTypeTable(service), choices: createChoiceRecord(service) }

describe('the arguments on a border', () => {
  it.each<[string, rows: readonly (readonly [due: string | null, done: boolean])[], date: string | undefined]>([
    ['are a value that distinguishes < from <=', [['2024-05-01', false]], '2024-05-01'],
    [
      'ignore items that the rest of the filter excludes',
      [
        ['2024-05-01', true],
        ['2024-05-02', false],
      ],
      '2024-05-02',
    ],
    [
      'are none without such an item',
      [
        ['2024-05-01', true],
        [null, false],
      ],
      undefined,
    ],
  ])('%s', (_, rows, date) => {
    const items = rows.map(([due, done], index) => ({ id: String(index), due, done }))
    expect(argumentsOnBorder(call, items, session)).toEqual(date === undefined ? [] : [{ date }])
  })
})
