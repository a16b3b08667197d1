/** Marks a result of a call whose text is the JSON of its data, so that one of them can be written for both. */
export const TEXT_IS_DATA = Symbol('the text is the JSON of the data')
