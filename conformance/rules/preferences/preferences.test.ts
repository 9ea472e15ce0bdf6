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
    ['async-without-monitor', 'async-result', 'library'],
    ['async-result-empty', 'async-result', 'library'],
  ],
  variants: ['preferences-ignored', 'defaultProjection-limited', 'awkward-keys'],
})
