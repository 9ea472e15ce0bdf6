import { shownPath } from '../shown-path.js'
import type { Terminal } from '../terminal.js'
import { readProject } from './read-project.js'

/** The specs of the project in the current folder, relative to it. */
export async function specsOf(terminal: Terminal): Promise<readonly string[]> {
  const project = await readProject(terminal.cwd)
  return [...new Set(project.services.map(({ spec }) => shownPath(terminal.cwd, spec)))]
}
