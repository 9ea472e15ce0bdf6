/** Longer values of URL parameters are shortened in texts for people. */
const maxParameter = 100
const systemOptions = 'filter|orderby|select|expand|search|compute|apply'

/** Shortens parameters of URLs that nobody reads, such as the token of a next link. Queries stay whole. */
export function shortenLinks(text: string): string {
  const parameter = new RegExp(
    `([?&](?!(?:\\$|%24)(?:${systemOptions})=)[^=&\\s'"]{1,100}=)([^&\\s'"]{${maxParameter + 1},})`,
    'gi',
  )
  return text.replaceAll(parameter, (_, name: string, value: string) => {
    return `${name}${value.slice(0, 24)}…(${value.length} characters)`
  })
}

/**
 * Disarms commands to a CI runner in a text for its log: `::add-mask::` at the start of a line, and `##[group]` or
 * `##vso[task.setvariable]` anywhere.
 */
export function disarmCommands(text: string): string {
  return text.replaceAll(/^(\s*)::/gm, String.raw`$1\::`).replaceAll(/##(?=\[|vso\[)/gi, String.raw`#\#`)
}
