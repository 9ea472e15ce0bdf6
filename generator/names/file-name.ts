/** Names that Windows keeps for devices, whatever the ending. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/

/**
 * A name as that of a file, without ending: letters, digits and dashes, lower case, so that no file system confuses two
 * names or refuses one. `getMemberGroups` becomes `get-member-groups`; empty when nothing is left.
 */
export function fileName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1-')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
  return deviceName.test(plain) ? `${plain}-` : plain
}
