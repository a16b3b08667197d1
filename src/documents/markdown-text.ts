// Thoughts are opaque text. In a Markdown document they must stay text: no heading, list, fence, table, HTML,
// link or image may come of them, and no line of them may leave the block that it is in.

/** What starts something inside a line, in CommonMark or GitHub's extensions (tables, strikethrough, math). */
const INLINE = /[\\`*_[\]<>&~|$#]/g

/** GitHub makes links of bare addresses. */
const ADDRESS = /:(?=\/\/)|(?<=\bwww)\.|@|(?<=\b(?:mailto|xmpp)):/gi

/** What starts a block at the beginning of a line: headings, lists, rules, underlines of headings. */
const BLOCK_START = /^(?:[+=:-]|\d+(?=[.)]))/

/** Control characters, and the separators that some readers take for line ends. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/gu

/** The text in one line. */
export function inline(text: string): string {
  return escapeLine(text.replace(/\s+/gu, ' ').trim())
}

/** The text as a block quote, line by line. */
export function quote(text: string): string[] {
  const lines = text.split(/\r\n|[\n\r]/).map(escapeLine)
  return lines.map((line, i) => {
    if (line === '') return '>'
    // A backslash at the end is a line break; in front of an empty line there is one already.
    const breaks = i < lines.length - 1 && lines[i + 1] !== ''
    return `> ${line}${breaks ? '\\' : ''}`
  })
}

function escapeLine(line: string): string {
  const visible = line.replace(CONTROLS, (control) => {
    const code = control.charCodeAt(0)
    if (control === '\t') return control
    if (code < 0x20) return String.fromCharCode(0x2400 + code)
    return code === 0x7f ? '\u2421' : '\ufffd'
  })
  const indent = /^\s*/u.exec(visible)?.[0] ?? ''
  const rest = visible.slice(indent.length).trimEnd()
  if (rest === '') return ''
  const escaped = rest.replace(INLINE, '\\$&').replace(ADDRESS, '\\$&')
  const first = BLOCK_START.exec(rest)?.[0]
  const start =
    first === undefined
      ? escaped
      : /\d/.test(first)
        ? `${first}\\${escaped.slice(first.length)}`
        : `\\${escaped}`
  return `${indent.replaceAll('\t', '    ').replace(/./gu, '&nbsp;')}${start}`
}
