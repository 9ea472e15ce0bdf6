import type { SpecDocument } from '../../../spec/language/index.js'
import { compact } from './compact.js'

/** Chapters of a spec, some of them absent. */
export type Chapters = {
  readonly [Chapter in keyof Omit<SpecDocument, 'specwright'>]?: SpecDocument[Chapter] | undefined
}

/** A spec with its chapters in the order in which people read them. */
export function inOrder(chapters: Chapters): object {
  const { service, authentication, resources, container, queryOptions, paths, operations, ...rest } = chapters
  return compact({
    specwright: 1,
    service,
    authentication,
    resources,
    container,
    queryOptions,
    paths,
    operations,
    ...rest,
  })
}
