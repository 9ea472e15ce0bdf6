import type { Capabilities } from '../capabilities/capabilities.js'

/** What a list of the sample books allows, for tests: a bit of everything, and not all of anything. */
export const sampleCapabilities: Capabilities = {
  select: 'required',
  filter: {
    support: 'required',
    operators: {
      eq: 'required',
      ne: 'optional',
      gt: 'optional',
      in: 'optional',
      and: 'required',
      or: 'required',
      not: 'optional',
      lt: 'none',
    },
    functions: {
      contains: 'optional',
      startswith: 'optional',
      tolower: 'optional',
      $count: 'optional',
      isdue: 'optional',
    },
    lambdas: { any: 'optional' },
    properties: {
      subtitle: { support: 'none' },
      title: { support: 'required', operators: ['eq', 'in'], functions: ['tolower'] },
      publisher: { support: 'none' },
      copies: { support: 'optional' },
      'copies/number': { support: 'none' },
    },
    maxNodes: 40,
  },
  orderby: {
    support: 'optional',
    properties: { price: 'none', 'prequel/title': 'optional', 'copies/$count': 'optional' },
    maxKeys: 2,
  },
  expand: {
    support: 'optional',
    relations: { prequel: 'required', copies: 'optional', 'prequel/copies/book': 'none' },
    maxDepth: 3,
    nested: ['select', 'expand', 'filter', 'orderby', 'top', 'levels'],
  },
  top: { support: 'optional', default: 20, max: 100, above: 'error', min: 1 },
  skip: 'optional',
  count: 'optional',
  search: { support: 'optional', syntax: 'propertyTerms', join: ['OR'], properties: ['title', 'subtitle'] },
  requires: [
    {
      when: [['filter.contains'], ['filter.any'], ['search'], ['filter', 'orderby']],
      header: { name: 'ConsistencyLevel', value: 'eventual' },
      otherwise: 'advancedQueryUnavailable',
    },
    { when: [['countPath']], header: { name: 'X-Count', value: 'Yes' }, otherwise: 'countUnavailable' },
  ],
}

/** Nothing at all. */
export const noCapabilities: Capabilities = {
  select: 'none',
  filter: { support: 'none', operators: {}, functions: {}, lambdas: {}, properties: {} },
  orderby: { support: 'none', properties: {} },
  expand: { support: 'none', relations: {}, maxDepth: 1, nested: [] },
  top: { support: 'none', above: 'open', min: 0 },
  skip: 'none',
  count: 'none',
  search: { support: 'none', syntax: 'words', join: [], properties: [] },
  requires: [],
}
