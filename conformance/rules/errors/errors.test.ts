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
    ['error-with-200', 'error-status', 'directory'],
    ['missing-item-with-400', 'item-not-found', 'directory'],
    ['missing-item-is-empty', 'item-not-found', 'directory'],
    ['missing-item-crashes', 'no-server-error', 'directory'],
    ['list-of-unknown-item', 'item-not-found', 'directory'],
    ['malformed-query-ignored', 'malformed-option', 'directory'],
    ['malformed-query-is-empty', 'malformed-option', 'directory'],
    ['malformed-query-crashes', 'no-server-error', 'directory'],
    ['unsupported-query-ignored', 'unsupported-option', 'directory'],
    ['unknown-path-accepted', 'path-not-found', 'directory'],
    ['other-method-accepted', 'method-not-allowed', 'directory'],
    ['malformed-body-crashes', 'no-server-error', 'directory'],
  ],
  variants: [
    'other-legal-statuses',
    'last-legal-statuses',
    'other-error-codes',
    'unknownOption-ignored',
    'unknownProperty-ignored',
    'no-head-or-options',
    'awkward-keys',
    'short-queries-only',
  ],
})
