import { filters } from '../../build/runtime/query/testing/filter-corpus.js'

/**
 * One text to parse: with a tree it is a well-formed filter that means that tree, without one it is malformed.
 *
 * @typedef {{ readonly text: string, readonly tree?: import('./tree.mjs').Expression }} Trial
 */

/** The corpus of `runtime/query/testing/filter-corpus.ts`, every filter and every malformed variant once. @type {readonly Trial[]} */
export const trials = [
  ...filters.map(({ text, tree }) => ({ text, tree })),
  ...[...new Set(filters.flatMap(filter => filter.malformed))].map(text => ({ text })),
]
