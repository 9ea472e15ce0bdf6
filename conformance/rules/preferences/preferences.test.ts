import { testRules } from '../../testing/rule-tests.js'
import { preferencesRules } from '../index.js'

testRules({
  area: 'preferences',
  rules: preferencesRules,
  sites: { correct: 2, variants: 2 },
  choices: { defaultProjection: 'all' },
  mutants: [
    ['preference-claimed', 'preference-honoured', 'directory'],
    ['preference-hides-values', 'preference-honoured', 'directory'],
    ['preference-clears', 'preference-honoured', 'directory'],
    ['preference-turned-round', 'preference-honoured', 'directory'],
    ['preference-on-first-page', 'preference-honoured', 'directory'],
    ['preference-without-select', 'preference-honoured', 'directory'],
    ['preference-of-selected-lists-ignored', 'preference-honoured', 'directory'],
    ['preference-first-of-several', 'preference-honoured', 'directory'],
    ['preference-unquoted', 'preference-honoured', 'directory'],
    ['omit-values-unclaimed', 'omit-values', 'library'],
    ['omit-values-loses-zero', 'omit-values', 'library'],
    ['omit-defaults-loses-false', 'omit-values', 'library'],
    ['omit-values-ignored', 'omit-values', 'library'],
    ['async-without-monitor', 'async-result', 'library'],
    ['async-result-empty', 'async-result', 'library'],
  ],
  variants: ['preferences-ignored', 'defaultProjection-limited', 'awkward-keys'],
})
