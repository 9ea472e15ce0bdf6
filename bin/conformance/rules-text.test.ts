import { describe, expect, it } from 'vitest'
import { listRules } from './rules-text.js'

const facts = { advice: '', aspects: [], covers: [], severity: 'must' } as const
const rules = [
  { ...facts, id: 'select-only', area: 'select', statement: 'Only what is selected is returned, and the key.' },
  { ...facts, id: 'skip', area: 'paging', statement: 'Skipped items are left out.' },
] as const

describe('the list of rules', () => {
  it.each([
    [
      undefined,
      [
        'select',
        '  select-only  must    Only what is selected is returned, and the key.',
        '',
        'paging',
        '  skip         must    Skipped items are left out.',
      ],
    ],
    [
      60,
      [
        'select',
        '  select-only  must    Only what is selected is returned,',
        '                       and the key.',
        '',
        'paging',
        '  skip         must    Skipped items are left out.',
      ],
    ],
    [
      40,
      [
        'select',
        '  select-only  must',
        '    Only what is selected is returned,',
        '    and the key.',
        '',
        'paging',
        '  skip  must',
        '    Skipped items are left out.',
      ],
    ],
  ])('in %d columns', (columns, expected) => {
    expect(listRules(rules, columns).split('\n')).toEqual(expected)
  })
})
