import { testRules } from '../../testing/rule-tests.js'
import { operationsRules } from '../index.js'

testRules({
  area: 'operations',
  rules: operationsRules,
  sites: { correct: 3, variants: 3 },
  mutants: [
    ['flag-ignored', 'operation-meaning', 'directory'],
    ['empty-list-is-any', 'operation-meaning', 'directory'],
    ['flag-turned-round', 'operation-meaning', 'directory'],
    ['meaning-ignored', 'operation-meaning', 'directory'],
    ['given-values-echoed', 'operation-meaning', 'directory'],
    ['operation-finds-nothing', 'operation-meaning', 'directory'],
    ['first-bound-ignored', 'operation-window', 'directory'],
    ['second-bound-ignored', 'operation-window', 'directory'],
    ['window-two-hours-late', 'operation-window', 'directory'],
    ['window-of-whole-days', 'operation-window', 'directory'],
    ['window-of-five-years', 'operation-window', 'directory'],
    ['membership-of-all', 'operation-meaning', 'directory'],
    ['missing-parameter-accepted', 'operation-parameters', 'directory'],
  ],
  variants: [
    'membershipClosure-direct',
    'expandedItems-limited',
    'no-expand',
    'no-optional-endpoints',
    'other-legal-statuses',
    'awkward-keys',
  ],
})
