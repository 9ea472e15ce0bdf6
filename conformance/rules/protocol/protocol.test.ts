import { testRules } from '../../testing/rule-tests.js'
import { protocolRules } from '../index.js'

testRules({
  area: 'protocol',
  rules: protocolRules,
  writes: true,
  sites: { correct: 2, variants: 2 },
  mutants: [
    ['json-as-html', 'json-content-type', 'directory'],
    ['json-with-byte-order-mark', 'json-content-type', 'directory'],
    ['head-has-another-status', 'head-and-options', 'directory'],
    ['head-of-unknown-item-succeeds', 'head-and-options', 'directory'],
    ['charset-rejected', 'body-charset', 'directory'],
    ['chunked-body-is-lost', 'body-chunks', 'directory'],
    ['query-of-another-request', 'concurrent-reads', 'directory'],
  ],
  variants: ['other-content-type', 'pretty-json', 'no-head-or-options', 'throttled'],
})
