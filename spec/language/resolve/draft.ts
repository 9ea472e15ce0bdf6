/** A part of the model while it is being built: types refer to each other in circles, so they exist before they are filled. */
export type Draft<T> = { -readonly [Key in keyof T]: T[Key] }
