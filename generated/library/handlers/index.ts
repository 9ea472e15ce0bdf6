import type { Handlers } from '../server.js'
import type { Context } from './context.js'
import { books } from './books.js'
import { copies } from './copies.js'
import { loans } from './loans.js'
import { authors } from './authors.js'
import { members } from './members.js'
import { branches } from './branches.js'
import { photos } from './photos.js'
import { rules } from './rules.js'
import { operations } from './operations.js'

/** All handlers of Public Library. */
export const handlers: Handlers<Context> = {
  books,
  copies,
  loans,
  authors,
  members,
  branches,
  photos,
  rules,
  ...operations,
}
