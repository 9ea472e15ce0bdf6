import type { Support } from './capabilities.js'

/** Whether the record declares the name `required` or `optional`; what is absent is `none`. */
export function isSupported(record: Readonly<Record<string, Support>>, name: string): boolean {
  return Object.hasOwn(record, name) && record[name] !== 'none'
}

/** The names that the record declares, for messages: ` Supported: eq, ne.`; empty when there are none. */
export function supportedNames(record: Readonly<Record<string, Support>>): string {
  const names = Object.keys(record).filter(name => isSupported(record, name))
  return names.length === 0 ? '' : ` Supported: ${names.join(', ')}.`
}
