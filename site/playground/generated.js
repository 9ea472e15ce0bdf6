// What a spec gives: the texts of the tabs, and the diagnostics.

import { generate } from 'specwright/generator'

const artefacts = { types: 'types.ts', client: 'client.ts', server: 'server.ts', openapi: 'openapi.json', csdl: 'metadata.xml' }

/** @returns the text of each artefact, or undefined if the spec has errors; and the diagnostics, with their positions */
export function generated(text) {
  const { files, diagnostics } = generate({ path: 'spec.yaml', text }, { runtime: 'specwright' })
  const texts = Object.entries(artefacts).map(([name, file]) => [name, files.find(each => each.path === file)?.text])
  return {
    files: files.length === 0 ? undefined : Object.fromEntries(texts),
    diagnostics: diagnostics
      .slice(0, 200)
      .map(({ severity, message, suggestion, location: { offset, length } }) => ({
        severity,
        message: suggestion === undefined ? message : `${message} Did you mean ${suggestion}?`,
        from: offset,
        to: offset + length,
      })),
  }
}
