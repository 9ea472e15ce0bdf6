/** A path as it is written in a command: in quotes where a shell would read it otherwise, and never taken for an option. */
export function shellPath(path: string): string {
  const plain = path.startsWith('-') ? `./${path}` : path
  if (/^[\w@%+=:,./-]+$/.test(plain)) return plain
  // Double quotes are those of cmd.exe, too; within them, sh still reads these.
  if (!/["$`\\!%]/.test(plain)) return `"${plain}"`
  return `'${plain.replaceAll("'", String.raw`'\''`)}'`
}
