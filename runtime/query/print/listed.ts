import { PrintError } from '../print-error.js'

/** The items of an option, joined by commas. @throws {PrintError} when there are none, which no option allows */
export function listed<Item>(option: string, items: readonly Item[], print: (item: Item) => string): string {
  if (items.length === 0) throw new PrintError(`${option} needs an item; leave the option out instead.`)
  return items.map(print).join(',')
}
