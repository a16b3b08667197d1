import { readFile } from 'node:fs/promises'

/** The build puts the page beside the chunks, and this module, loaded on demand, is one of them. */
const FILE = new URL('../view.html', import.meta.url)

/** The view as one HTML page, without a chain. */
export function readViewPage(): Promise<string> {
  return readFile(FILE, 'utf8')
}
