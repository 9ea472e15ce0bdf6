/** What is printed before exit 70: the stack, and what to do with it. */
export function bugReport(error: unknown, version: string): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return [
    'This is a bug in Specwright, not in your spec.',
    '',
    stack,
    '',
    `specwright ${version}, node ${process.version}, ${process.platform} ${process.arch}`,
    'Please report it with the text above, the command line, and if you can the spec that caused it:',
    'see "Reporting a bug" in docs/command-line.md of the package.',
  ].join('\n')
}
