import { testRules } from '../../testing/rule-tests.js'
import { itemsRules } from '../index.js'

testRules({
  area: 'items',
  rules: itemsRules,
  sites: { correct: 5, variants: 3 },
  choices: { defaultProjection: 'all' },
  mutants: [
    ['item-of-another', 'item-of-list', 'directory'],
    ['item-lacks-a-property', 'item-of-list', 'directory'],
    ['key-cut-at-a-dash', 'item-of-list', 'directory'],
    ['links-but-one', 'reference-path', 'library'],
    ['property-of-the-first', 'property-path', 'library'],
    ['property-in-capitals', 'property-path', 'library'],
    ['stream-of-another-type', 'stream-path', 'library'],
    ['stream-announced-before', 'stream-path', 'library'],
    ['relation-of-all', 'related-once', 'directory'],
    ['tree-flattened', 'related-once', 'directory'],
    ['quoted-key-is-last', 'key-forms', 'directory'],
    ['relation-in-an-envelope', 'item-envelope', 'directory'],
    ['item-in-an-envelope', 'item-envelope', 'directory'],
    ['cast-path-of-all', 'cast-path', 'library'],
    ['cast-path-empty', 'cast-path', 'library'],
    ['cast-property-null', 'cast-path', 'library'],
    ['names-in-capitals', 'property-names', 'directory'],
  ],
  variants: [
    'awkward-keys',
    'defaultProjection-limited',
    'absentRelation-204',
    'absentRelation-null',
    'no-single-relation',
    'more-properties',
    'nulls-left-out',
    'timestamps-with-offset',
  ],
})
