import { expect, it } from 'vitest'
import { violatedRules } from '../../testing/mutant-run.js'
import { testRules } from '../../testing/rule-tests.js'
import { errorsRules } from '../index.js'

testRules({
  area: 'errors',
  rules: errorsRules,
  sites: { correct: 8, variants: 3 },
  mutants: [
    ['error-is-text', 'error-shape', 'directory'],
    ['error-as-html', 'error-shape', 'directory'],
    ['error-without-code', 'error-shape', 'directory'],
    ['error-without-message', 'error-shape', 'directory'],
    ['error-code-is-number', 'error-shape', 'directory'],
    ['error-is-empty', 'error-shape', 'directory'],
    ['error-is-cut', 'error-shape', 'directory'],
    ['error-with-bare-quotes', 'error-shape', 'directory'],
    ['error-with-200', 'error-status', 'directory'],
    ['missing-item-with-400', 'item-not-found', 'directory'],
    ['missing-item-with-403', 'item-not-found', 'directory'],
    ['missing-item-is-empty', 'item-not-found', 'directory'],
    ['missing-item-crashes', 'no-server-error', 'directory'],
    ['list-of-unknown-item', 'item-not-found', 'directory'],
    ['malformed-query-ignored', 'malformed-option', 'directory'],
    ['malformed-query-is-empty', 'malformed-option', 'directory'],
    ['malformed-query-crashes', 'no-server-error', 'directory'],
    ['deep-query-crashes', 'query-limits', 'directory'],
    ['unsupported-query-ignored', 'unsupported-option', 'directory'],
    ['unknown-path-accepted', 'path-not-found', 'directory'],
    ['other-method-accepted', 'method-not-allowed', 'directory'],
    ['allow-lists-nothing-known', 'allow-header', 'directory'],
    ['malformed-body-crashes', 'no-server-error', 'directory'],
  ],
  variants: [
    'other-legal-statuses',
    'last-legal-statuses',
    'other-error-codes',
    'refused-queries-405',
    'unknownOption-ignored',
    'unknownProperty-ignored',
    'no-head-or-options',
    'awkward-keys',
    'short-queries-only',
  ],
})

it('a query that is refused with 405 does not make the method unsupported', async () => {
  const rules = ['header-*', 'method-supported']
  expect(await violatedRules({ variant: 'refused-queries-405', rules, requests: 200 })).toEqual([])
})
