import type { QueryCapabilities, ReadEndpoint, Service } from '../../spec/language/index.js'

/** A numbered section of an interface document, with its tables, bullets and numbered rules as they are written. */
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
    .map(parseSection)
}

function parseSection(text: string): InterfaceSection {
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

/** A row of the interface without a counterpart in the spec, or with a different one. */
export interface Gap {
  /** Section and row, `2.1 department`. */
  readonly row: string
  readonly problem: string
}

/** The gaps of a row: one for each problem that is true. */
export function gaps(row: string, problems: Readonly<Record<string, boolean>> | readonly string[]): readonly Gap[] {
  const found = Array.isArray(problems)
    ? problems
    : Object.entries(problems).flatMap(([text, is]) => (is ? [text] : []))
  return found.map(problem => ({ row, problem }))
}

/** Whether a clause of the section quotes a part of the text, or contains the text in its quote. */
export function isQuoted(service: Service, section: string, text: string): boolean {
  return service.clauses.some(
    ({ ref, quote }) => ref.split(' ')[0] === section && (text.includes(quote) || quote.includes(text)),
  )
}

/** The endpoints that read a collection, each with its query capabilities. */
export function queryableCollections(
  service: Service,
): readonly { readonly endpoint: ReadEndpoint; readonly query: QueryCapabilities }[] {
  return service.endpoints.flatMap(endpoint =>
    endpoint.kind === 'collection' && endpoint.query ? [{ endpoint, query: endpoint.query }] : [],
  )
}

/** A clause quotes each sentence outside tables and lists, unless it says what is not shown. */
export function checkProse(section: InterfaceSection, service: Service): readonly Gap[] {
  return section.prose
    .filter(sentence => !sentence.endsWith('not shown.'))
    .flatMap(sentence =>
      gaps(`${section.number} ${sentence}`, { 'no clause': !isQuoted(service, section.number, sentence) }),
    )
}
