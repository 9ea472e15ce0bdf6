/** What relative imports in generated code may end in. */
export const importExtensions = ['js', 'ts', 'none'] as const

/**
 * `js` is what a compiler wants that keeps to Node's rules, and every bundler understands that reads TypeScript; `ts` is what
 * runs as it is, without a compiler; `none` is for bundlers that look for `./types.js` in vain.
 */
export type ImportExtension = (typeof importExtensions)[number]

const endings: ReadonlyMap<unknown, string> = new Map([
  ['js', '.js'],
  ['ts', '.ts'],
  ['none', ''],
])

/**
 * A specifier that ends in `.js`, with the extension in place of it.
 *
 * @throws TypeError for another extension, which a caller in JavaScript may give
 */
export function withExtension(specifier: string, extension: ImportExtension): string {
  const ending = endings.get(extension)
  if (ending === undefined) {
    throw new TypeError(
      `importExtension: found ${JSON.stringify(extension)}, expected one of ${importExtensions.join(', ')}`,
    )
  }
  return specifier.replace(/\.js$/, ending)
}
