import { holdRules } from '../../testing/hold-rules.js'
import { deltaRules } from './index.js'

holdRules({
  area: 'delta',
  rules: deltaRules,
  writes: true,
  sites: { correct: 1, variants: 1 },
  choices: { readYourWrites: 'immediate' },
  mutants: [
    ['delta-first-round-short', 'delta-initial', 'directory'],
    ['delta-without-link', 'delta-links', 'directory'],
    ['delta-both-links', 'delta-links', 'directory'],
    ['delta-link-refused', 'delta-initial', 'directory'],
    ['delta-rows-without-key', 'delta-initial', 'directory'],
    ['delta-misses-deletes', 'delta-changes', 'library'],
    ['delta-misses-creates', 'delta-changes', 'library'],
    ['delta-misses-changes', 'delta-changes', 'library'],
    ['delta-tells-old-values', 'delta-changes', 'library'],
    ['delta-select-ignored', 'delta-initial', 'directory'],
  ],
  variants: [
    'delta-tells-all-again',
    'no-optional-endpoints',
    'small-pages',
    'defaultProjection-limited',
    'timestamps-with-zeros',
  ],
})
