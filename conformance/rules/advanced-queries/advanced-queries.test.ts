import { testRules } from '../../testing/rule-tests.js'
import { advancedQueriesRules } from '../index.js'

testRules({
  area: 'advanced queries',
  rules: advancedQueriesRules,
  sites: { correct: 3, variants: 3 },
  mutants: [
    ['contains-without-header', 'header-required', 'directory'],
    ['contains-without-header-beside-count', 'header-required', 'directory'],
    ['any-without-header', 'header-required', 'directory'],
    ['search-without-header', 'header-required', 'directory'],
    ['header-never-needed', 'header-required', 'directory'],
    ['header-not-seen', 'header-suffices', 'directory'],
    ['advanced-error-says-nothing', 'header-required', 'directory'],
    ['plain-list-needs-header', 'plain-needs-none', 'directory'],
  ],
  variants: [
    'other-legal-statuses',
    'more-needs-the-header',
    'no-filter',
    'no-search',
    'no-lambdas-or-contains',
    'countWithoutHeader-rejected',
    'countPathWithoutHeader-answered',
    'advancedCollections-some',
  ],
})
