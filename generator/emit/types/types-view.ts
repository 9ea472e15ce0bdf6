/** What `templates/types.hbs` shows. */
export interface TypesView {
  readonly header: string
  /** The type for members that are not known yet is needed. */
  readonly openEnum: boolean
  readonly interfaces: readonly InterfaceView[]
  readonly enumerations: readonly EnumerationView[]
  readonly definitions: readonly DefinitionView[]
}

export interface InterfaceView {
  readonly docs: readonly string[]
  readonly name: string
  /** ` extends Base`, or nothing. */
  readonly extends: string
  readonly members: readonly MemberView[]
}

export interface MemberView {
  readonly docs: readonly string[]
  /** The name, in quotes where it must be, or the parameter of an index signature in its brackets. */
  readonly key: string
  /** `?`, or nothing. */
  readonly optional: string
  readonly type: string
}

export interface EnumerationView {
  readonly docs: readonly string[]
  readonly name: string
  readonly members: readonly { readonly docs: readonly string[]; readonly name: string }[]
}

export interface DefinitionView {
  readonly docs: readonly string[]
  readonly name: string
  readonly type: string
}
