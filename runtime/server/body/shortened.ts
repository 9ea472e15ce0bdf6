const maxLength = 100

/** A name that the caller made up, as a message may repeat it. */
export function shortened(name: string): string {
  return name.length <= maxLength ? name : `${name.slice(0, maxLength)}…`
}
