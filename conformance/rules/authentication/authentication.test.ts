import { expect, it } from 'vitest'
import { violatedRules } from '../../testing/mutant-run.js'
import { testRules } from '../../testing/rule-tests.js'
import { authenticationRules } from '../index.js'

testRules({
  area: 'authentication',
  rules: authenticationRules,
  sites: { correct: 20, variants: 3 },
  mutants: [
    ['no-credential-passes', 'authentication-required', 'directory'],
    ['wrong-credential-passes', 'authentication-required', 'directory'],
    ['beginning-of-token-passes', 'authentication-required', 'directory'],
    ['longer-token-passes', 'authentication-required', 'directory'],
    ['token-ignores-case', 'authentication-required', 'directory'],
    ['scheme-ignored', 'authentication-required', 'directory'],
    ['credential-unchecked-for-head', 'authentication-required', 'directory'],
    ['credential-unchecked-for-conditions', 'authentication-required', 'directory'],
    ['credential-unchecked-on-items', 'authentication-required', 'directory'],
    ['credential-unchecked-on-counts', 'authentication-required', 'directory'],
    ['credential-unchecked-on-delta', 'authentication-required', 'directory'],
    ['credential-unchecked-on-calls', 'authentication-required', 'directory'],
    ['credential-unchecked-on-functions', 'authentication-required', 'directory'],
    ['credential-unchecked-below-items', 'authentication-required', 'directory'],
    ['credential-unchecked-on-next-pages', 'authentication-required', 'directory'],
    ['refusal-lasts-for-next-request', 'authentication-required', 'directory'],
    ['credential-refused-with-403', 'authentication-required', 'directory'],
    ['credential-refused-with-400', 'authentication-required', 'directory'],
    ['credential-refused-with-a-page', 'authentication-required', 'directory'],
  ],
  variants: ['other-error-codes', 'awkward-keys', 'throttled'],
})

it('find a PATCH of a singleton without a credential', async () => {
  const mutant = 'credential-unchecked-for-singleton-patch'
  const rules = ['authentication-required']
  expect(await violatedRules({ mutant, rules, writes: true })).toEqual(rules)
  expect(await violatedRules({ mutant, rules })).toEqual([])
})
