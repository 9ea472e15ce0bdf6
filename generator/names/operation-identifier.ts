import type { Operation } from '../../spec/language/model/index.js'
import { typeIdentifier } from './identifier.js'

/** Start of the names of an operation's types, `GetMemberGroups`. */
export const operationIdentifier = ({ name }: Operation): string => typeIdentifier(name)
