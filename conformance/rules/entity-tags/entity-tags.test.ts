import { describe, expect, it } from 'vitest'
import { violatedRules } from '../../testing/mutant-run.js'
import { testRules } from '../../testing/rule-tests.js'
import { entityTagsRules } from '../index.js'
import { isTag, opaqueTag } from './entity-tag.js'

testRules({
  area: 'entity tags',
  rules: entityTagsRules,
  writes: true,
  sites: { correct: 2, variants: 2 },
  choices: { readYourWrites: 'immediate' },
  mutants: [
    ['stale-change-accepted', 'if-match', 'directory'],
    ['old-tag-accepted-after-two-changes', 'if-match', 'directory'],
    ['stale-delete-accepted', 'if-match', 'directory'],
    ['current-tag-refused', 'if-match', 'directory'],
    ['refused-and-changed', 'if-match', 'directory'],
    ['tag-never-changes', 'if-match', 'directory'],
    ['tag-of-singleton-never-changes', 'if-match-existing', 'directory'],
    ['first-listed-tag-of-change-only', 'if-match', 'directory'],
    ['last-listed-tag-of-change-only', 'if-match', 'directory'],
    ['last-listed-tag-of-change-only', 'if-match-existing', 'directory'],
    ['tag-of-another-item-accepted', 'if-match', 'directory'],
    ['star-refused', 'if-match', 'directory'],
    ['unconditional-change-accepted', 'if-match', 'library'],
    ['flags-keep-the-tag', 'if-match', 'directory'],
    ['last-tag-304', 'if-none-match-changed', 'directory'],
    ['first-listed-tag-only', 'if-none-match', 'directory'],
    ['always-304', 'if-none-match', 'directory'],
    ['read-refused-for-tag', 'if-none-match', 'directory'],
    ['tag-changes-with-each-read', 'if-none-match', 'directory'],
    ['tag-in-body-differs', 'entity-tag-agrees', 'directory'],
    ['tag-without-quotes', 'entity-tag-agrees', 'directory'],
    ['tag-of-list-differs', 'entity-tag-of-list', 'directory'],
  ],
  variants: [
    'entityTag-strong',
    'entityTag-none',
    'tags-in-headers-only',
    'tags-in-bodies-only',
    'long-tags',
    'updateStatus-204',
    'lists-lag',
  ],
})

describe('an entity tag', () => {
  it.each<[text: string, isOne: boolean]>([
    ['"1"', true],
    ['W/"1"', true],
    ['""', true],
    ['W/"a,b;c=+/"', true],
    ['1', false],
    ['w/"1"', false],
    ['"1', false],
    ['"a"b"', false],
    ['*', false],
  ])('is quoted text, weak or strong: %s', (text, isOne) => {
    expect(isTag(text)).toBe(isOne)
  })

  it('matches its weak form by the weak comparison', () => {
    expect(opaqueTag('W/"1"')).toBe(opaqueTag('"1"'))
    expect(opaqueTag('W/"1"')).not.toBe(opaqueTag('"2"'))
  })
})

it('a finding about an update is confirmed, although the update changes the data', async () => {
  const rules = ['update-existing', 'entity-tag-agrees']
  const trial = { mutant: 'singleton-update-answers-old-tag', rules, writes: true }
  expect(await violatedRules(trial)).toEqual(['entity-tag-agrees'])
})
