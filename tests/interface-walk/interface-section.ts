/** One numbered section of an interface document: its tables, bullets and numbered rules, each as they are written. */
export interface InterfaceSection {
  /** `4.1` */
  readonly number: string
  readonly title: string
  /** The rows of all its tables, without their headers. */
  readonly rows: readonly (readonly string[])[]
  readonly bullets: readonly string[]
  readonly rules: readonly string[]
  /** The other lines, outside tables and lists. */
  readonly prose: readonly string[]
}

/** Splits an interface document at its numbered headings. */
export function interfaceSections(text: string): readonly InterfaceSection[] {
  return text
    .split(/^(?=#{2,3} \d)/m)
    .slice(1)
    .map(section)
}

function section(text: string): InterfaceSection {
  const [heading = '', ...lines] = text.split('\n')
  const [, number = '', title = ''] = /^#+ (\d+(?:\.\d+)?)\.? (.*)$/.exec(heading) ?? []
  const rows = lines.filter((line, index) => line.startsWith('| ') && !lines[index + 1]?.startsWith('|---'))
  return {
    number,
    title,
    rows: rows.map(row =>
      row
        .split('|')
        .slice(1, -1)
        .map(cell => cell.trim()),
    ),
    bullets: lines.filter(line => line.startsWith('- ')).map(line => line.slice(2)),
    rules: lines.filter(line => /^\d+\. /.test(line)).map(line => line.replace(/^\d+\. /, '')),
    prose: lines.filter(line => /^[A-Z]/.test(line)),
  }
}
