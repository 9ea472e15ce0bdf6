/** Canonical functions are the same in any letter case; the service's own, which are qualified, are not. */
export function functionName(name: string): string {
  return name.includes('.') && !/^geo\./i.test(name) ? name : name.toLowerCase()
}
