/** What is wrong with a query that the grammar accepts, once a type is known. */
export type BindingErrorCode =
  /** A name that the type does not have. */
  | 'unknownProperty'
  | 'unknownType'
  | 'unknownFunction'
  | 'unknownVariable'
  | 'unknownResource'
  | 'unknownMember'
  /** A collection, relation, complex or primitive value where something else is needed. */
  | 'notACollection'
  | 'notAStructure'
  | 'notARelation'
  | 'notAValue'
  | 'notBoolean'
  /** Operands, arguments or list items whose types do not go together. */
  | 'incompatibleTypes'
  | 'invalidArgument'
  | 'invalidCast'
  | 'invalidKey'
  /** A text or literal that is no value of the type it must be. */
  | 'invalidLiteral'
  | 'undefinedAlias'
  | 'circularAlias'
  /** Named twice where once is allowed. */
  | 'duplicate'
  /** An option that has no meaning where it stands. */
  | 'notApplicable'
  | 'tooComplex'

export interface BindingError {
  readonly code: BindingErrorCode
  /** The query option at fault, with `$`; inside `$expand` and `$select`, the nested one. */
  readonly option: string
  /** What was found, what was expected, and how to put it right. */
  readonly message: string
  /** The path at fault, `from/emailAdress`; inside `$expand`, from the expanded type on. */
  readonly path?: string
}
