import type { Report } from '../../conformance/index.js'

/** Line and column, from 1, of a JSON Pointer in the spec. */
export type PlaceOf = (pointer: string) => { readonly line: number; readonly column: number } | undefined

/** A report in the format of a file extension. */
export async function reportText(report: Report, extension: string, placeOf: PlaceOf): Promise<string> {
  const render = await import('../../conformance/report/render/index.js')
  switch (extension) {
    case 'xml':
      return render.renderJunit(report)
    case 'html':
      return render.renderHtml(report)
    case 'sarif': {
      const { rules } = await import('../../conformance/index.js')
      return render.renderSarif(report, rules, placeOf)
    }
    case 'txt':
      return `${render.renderText(report)}\n`
    default:
      return `${JSON.stringify(report, null, 2)}\n`
  }
}
