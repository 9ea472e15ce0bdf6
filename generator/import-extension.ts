/** What relative imports in generated code may end in. */
export const importExtensions = ['js', 'ts', 'none'] as const

/**
 * `js` is what a compiler wants that keeps to Node's rules, and every bundler understands that reads TypeScript; `ts` is what
 * runs as it is, without a compiler; `none` is for bundlers that look for `./types.js` in vain.
 */
export type ImportExtension = (typeof importExtensions)[number]

/** A specifier that ends in `.js`, with the extension in place of it. */
export function withExtension(specifier: string, extension: ImportExtension): string {
  return specifier.replace(/\.js$/, extension === 'none' ? '' : `.${extension}`)
}
