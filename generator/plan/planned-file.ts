/** What has to happen to one file, so that the folder holds what the generator emits. */
export type PlannedFile =
  | { readonly action: 'create'; readonly path: string; readonly text: string }
  | { readonly action: 'update'; readonly path: string; readonly text: string; readonly before: string }
  | { readonly action: 'same'; readonly path: string }
  | { readonly action: 'delete'; readonly path: string; readonly before: string }
  /** Something that is not the generator's stands where a file should go: nothing may be written. */
  | { readonly action: 'foreign'; readonly path: string; readonly why: string }

/** All files of one run, by path in code-unit order. */
export interface Plan {
  /** The output folder, absolute. */
  readonly folder: string
  readonly files: readonly PlannedFile[]
}
