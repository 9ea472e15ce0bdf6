import { holdRules } from '../../testing/hold-rules.js'
import { entityTagsRules } from './index.js'

holdRules({
  area: 'entity tags',
  rules: entityTagsRules,
  writes: true,
  sites: { correct: 2, variants: 2 },
  choices: { readYourWrites: 'immediate' },
  mutants: [
    ['stale-change-accepted', 'if-match', 'directory'],
    ['stale-delete-accepted', 'if-match', 'directory'],
    ['current-tag-refused', 'if-match', 'directory'],
    ['refused-and-changed', 'if-match', 'directory'],
    ['tag-never-changes', 'if-match', 'directory'],
    ['star-refused', 'if-match', 'directory'],
    ['unconditional-change-accepted', 'if-match', 'library'],
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
